import { RandomStream } from '@windtunnel/des'
import type { ArrivalProcess } from './arrivals/arrivalProcess.ts'
import type { LengthDistribution } from './lengths/lengthDistribution.ts'
import type { PartSpec } from './parts/option.ts'
import type { PromptTree } from './promptTree.ts'
import { type LengthScales, scaledTokens, unscaled } from './sources/mix.ts'

/** What parts are made with: named random streams, the prompt tree, and the other parts they are made of. */
export interface TrafficContext {
  readonly tree: PromptTree
  /** The random stream for one use; every use has its own. */
  stream(use: string): RandomStream
  /** A context whose streams are named under `use`. */
  under(use: string): TrafficContext
  /** A number that is drawn, and is no text that the mix of traffic scales: turns, steps, texts that are drawn once. */
  length(where: string, spec: PartSpec, use: string): LengthDistribution
  /** Tokens of prompt text, drawn for every request: times the factor of the mix at the time of the draw. */
  promptLength(where: string, spec: PartSpec, use: string): LengthDistribution
  /** Tokens generated, likewise. */
  outputLength(where: string, spec: PartSpec, use: string): LengthDistribution
  /** The factors of the mix, for structures that draw lengths by themselves. */
  readonly scales: Readonly<LengthScales>
  arrivals(where: string, spec: PartSpec, use: string): ArrivalProcess
}

/** Makes contexts; the registries are passed in so that parts may be made of parts. */
export function trafficContext(
  seed: number,
  path: string,
  tree: PromptTree,
  make: {
    length(where: string, spec: PartSpec, context: TrafficContext): LengthDistribution
    arrivals(where: string, spec: PartSpec, context: TrafficContext): ArrivalProcess
  },
  scales: LengthScales = unscaled(),
): TrafficContext {
  const context: TrafficContext = {
    tree,
    scales,
    stream: (use) => new RandomStream(seed, `${path}/${use}`),
    under: (use) => trafficContext(seed, `${path}/${use}`, tree, make, scales),
    length: (where, spec, use) => make.length(where, spec, context.under(use)),
    promptLength: (where, spec, use) => scaled(context.length(where, spec, use), () => scales.prompt),
    outputLength: (where, spec, use) => scaled(context.length(where, spec, use), () => scales.output),
    arrivals: (where, spec, use) => make.arrivals(where, spec, context.under(use)),
  }
  return context
}

/** The same draws, times the factor of the moment; the mean is that of the factor 1. */
const scaled = (length: LengthDistribution, factor: () => number): LengthDistribution => ({
  meanTokens: length.meanTokens,
  next: () => scaledTokens(length.next(), factor()),
})
