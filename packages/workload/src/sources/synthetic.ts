import { arrivals } from '../arrivals/index.ts'
import { type TrafficContext, trafficContext } from '../context.ts'
import { lengths } from '../lengths/index.ts'
import type { OptionValues, PartSpec } from '../parts/option.ts'
import { makePart } from '../parts/part.ts'
import { resolveOptions } from '../parts/resolve.ts'
import { count, optional, part, seconds, share, tokens, withDefault } from '../parts/units.ts'
import type { PromptTree } from '../promptTree.ts'
import { structures } from '../structures/index.ts'
import { createPromptTree } from '../tokenRuns.ts'
import { type Limits, limitSource } from './limited.ts'
import { mergeSources, type RatedSource } from './merged.ts'
import { type LengthScales, unscaled } from './mix.ts'
import { type ClientHabits, type Mixing, StreamSource } from './stream.ts'

/** What clients do, for any traffic. */
export const clientOptions = {
  priority: withDefault(
    {
      kind: 'number',
      integer: true,
      sentence: 'Priority of the requests; lower runs first, where the scheduler looks at it.',
    } as const,
    0,
  ),
  maxTokens: optional(tokens('Limit on the output that clients ask for; without it the whole output.')),
  cancelShare: withDefault(share('Share of requests whose client leaves when its patience is over.'), 0),
  patienceSeconds: withDefault(
    seconds('Mean patience of those clients, from arrival (exponential).', { above: 0 }),
    10,
  ),
  timeoutSeconds: optional(seconds('Time after arrival at which an unfinished request is given up.', { above: 0 })),
  roundTripSeconds: withDefault(
    seconds('Network round trip between client and front end; it delays what follows an answer.'),
    0,
  ),
} as const

/** Options of one stream of synthetic traffic. */
export const streamOptions = {
  arrivals: part('arrivals', 'When new work begins.'),
  structure: part('structures', 'What a piece of work is made of, and how long its texts are.'),
  tenant: withDefault(count('index', 'Index of the tenant who sends it.', { minimum: 0 }), 0),
  serviceClass: withDefault(count('index', 'Index of its service class (objectives).', { minimum: 0 }), 0),
  ...clientOptions,
} as const

/** One stream as a person writes it; see `streamOptions`. */
export interface StreamSpec {
  readonly arrivals: PartSpec
  readonly structure: PartSpec
  readonly [option: string]: unknown
}

export interface SyntheticTraffic extends Limits {
  readonly seed: number
  /** At least one: tenants, classes of service, or kinds of clients side by side. */
  readonly streams: readonly StreamSpec[]
  /** Names of the streams in their order, all different, for the mix; `stream 1`, `stream 2` and so on without them. */
  readonly names?: readonly string[]
  /** A tree to put the prompts in; a new one without it. */
  readonly tree?: PromptTree
}

/**
 * Traffic from named parts: `{ seed, streams: [{ arrivals: { name: 'poisson', requestsPerSecond: 5 }, structure: { name:
 * 'single', input: { name: 'fixed', tokens: 512 }, output: { name: 'fixed', tokens: 128 } } }] }`. Every use of chance has
 * its own random stream, named by the stream's place and the part. Throws OptionError and UnknownPart.
 */
export function syntheticSource(traffic: SyntheticTraffic): RatedSource {
  const tree = traffic.tree ?? createPromptTree()
  const sources = traffic.streams.map((spec, i) => {
    const scales = unscaled()
    const context = trafficParts(traffic.seed, `stream ${i}`, tree, scales)
    return streamSource(`streams[${i}]`, spec, context, { name: traffic.names?.[i] ?? `stream ${i + 1}`, scales })
  })
  return limitSource(mergeSources(sources), traffic)
}

/** A context in which every registered arrival process and length distribution can be made. */
export const trafficParts = (
  seed: number,
  path: string,
  tree: PromptTree,
  scales: LengthScales = unscaled(),
): TrafficContext =>
  trafficContext(
    seed,
    path,
    tree,
    {
      length: (where, spec, context) => makePart('distribution of lengths', lengths, where, spec, context),
      arrivals: (where, spec, context) => makePart('arrival process', arrivals, where, spec, context),
    },
    scales,
  )

function streamSource(where: string, spec: StreamSpec, context: TrafficContext, mixing: Mixing): StreamSource {
  const values = resolveOptions(where, streamOptions, spec)
  const process = context.arrivals(`${where}.arrivals`, values.arrivals, 'arrivals')
  const structure = makePart(
    'structure of requests',
    structures,
    `${where}.structure`,
    values.structure,
    context.under('structure'),
  )
  return new StreamSource(context.tree, process, structure, habitsOf(values, values), context.stream('clients'), mixing)
}

/** The habits that checked client options describe. */
export function habitsOf(
  values: OptionValues<typeof clientOptions>,
  place: { readonly tenant: number; readonly serviceClass: number },
): ClientHabits {
  return {
    tenant: place.tenant,
    serviceClass: place.serviceClass,
    priority: values.priority,
    maxTokens: values.maxTokens,
    cancelShare: values.cancelShare,
    patienceSeconds: values.patienceSeconds,
    timeoutSeconds: values.timeoutSeconds ?? Number.POSITIVE_INFINITY,
    roundTripSeconds: values.roundTripSeconds,
  }
}
