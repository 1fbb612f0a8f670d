import { RandomStream } from '@windtunnel/des'
import type { ArrivalProcess } from './arrivals/arrivalProcess.ts'
import type { LengthDistribution } from './lengths/lengthDistribution.ts'
import type { PartSpec } from './parts/option.ts'
import type { PromptTree } from './promptTree.ts'

/** What parts are made with: named random streams, the prompt tree, and the other parts they are made of. */
export interface TrafficContext {
  readonly tree: PromptTree
  /** The random stream for one use; every use has its own. */
  stream(use: string): RandomStream
  /** A context whose streams are named under `use`. */
  under(use: string): TrafficContext
  length(where: string, spec: PartSpec, use: string): LengthDistribution
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
): TrafficContext {
  const context: TrafficContext = {
    tree,
    stream: (use) => new RandomStream(seed, `${path}/${use}`),
    under: (use) => trafficContext(seed, `${path}/${use}`, tree, make),
    length: (where, spec, use) => make.length(where, spec, context.under(use)),
    arrivals: (where, spec, use) => make.arrivals(where, spec, context.under(use)),
  }
  return context
}
