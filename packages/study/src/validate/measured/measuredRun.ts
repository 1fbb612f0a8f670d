import type { ReplicaLayout } from '@windtunnel/cost/step/layout'

/** Figures of one quantity over the requests of a run, in seconds. What was not measured is absent. */
export interface Figures {
  mean?: number
  p50?: number
  p90?: number
  p99?: number
}

/** The quantities that are compared. `interToken` is as the run defines it; see `InterTokenDefinition`. */
export const quantities = ['e2e', 'interToken', 'tpot', 'ttft', 'throughput'] as const
export type Quantity = (typeof quantities)[number]

/** What was measured of a run: durations in seconds, throughput in output tokens per second. */
export interface RunFigures {
  e2e?: Figures
  interToken?: Figures
  tpot?: Figures
  ttft?: Figures
  outputTokensPerSecond?: number
}

/**
 * `perRequest`: (e2e - ttft) / (output tokens - 1) of each request, then over requests. `perToken`: every gap, pooled over
 * requests (what `vllm bench serve` calls ITL).
 */
export type InterTokenDefinition = 'perRequest' | 'perToken'

/** One pool of equal replicas. What is absent is at the engine's default. */
export interface MeasuredPool {
  replicas: number
  layout: ReplicaLayout
}

/** The serving system that was measured. */
export interface Deployment {
  /** Model, as its publisher names it. */
  model: string
  accelerator: string
  /** Number format of the weights, as the run states it. */
  precision: string
  /** Formats of the experts and of the matrices, where they are stated apart. */
  expertPrecision?: string
  keyValuePrecision?: string
  pool: MeasuredPool
  /** Set in a disaggregated deployment; `pool` is then the generate side. */
  prefillPool?: MeasuredPool
  engine: {
    name: string
    version: string
    maxSequences?: number
    maxBatchedTokens?: number
    /** Whether prompts are computed in pieces; as the engine does by itself where absent. */
    chunkedPrefill?: boolean
    maxModelLength?: number
    blockTokens?: number
    kvBlocks?: number
    memoryUtilisation?: number
    prefixCache?: boolean
    /** SGLang: prompt tokens after which a batch takes no further request, and decode steps between looks for new ones. */
    maxPrefillTokens?: number
    receiveInterval?: number
    /** TensorRT-LLM: how long prompts wait for company beside running requests. */
    batchWait?: { steps: number; tokenShare: number }
    /** Captured graphs reach up to so many tokens, where it is stated. */
    largestGraphTokens?: number
  }
  /** Greedy decoding, or as the model's generation config asks where absent. */
  greedy?: boolean
  /** Whether the clock stands before an API server (a client) or at the engine's queue. */
  clock: 'client' | 'engine'
}

/** A request as it was sent. */
export interface MeasuredRequest {
  arrivalSeconds: number
  inputTokens: number
  outputTokens: number
  /** Requests of one prompt sent the same text; absent: a text of its own. */
  prompt?: number
  /** Leading tokens that the prompts of one group share. */
  group?: number
  groupTokens?: number
}

/** Requests in order of arrival: what is known of them was recorded, or drawn as the generator draws them. */
export interface ReplayTraffic {
  kind: 'replay'
  requests: readonly MeasuredRequest[]
}

/** So many users, each with one request in the system, until `requests` were sent. All start at time 0. */
export interface LoopTraffic {
  kind: 'closedLoop'
  users: number
  requests: number
  inputTokens: number
  outputTokens: number
  /** Lengths are drawn evenly between this share of the full length and the full length. */
  leastShare: number
  /** Outputs vary evenly by this share on both sides: real systems never stay in lock-step. */
  outputJitter: number
}

export type MeasuredTraffic = ReplayTraffic | LoopTraffic

/** One measured run, whatever file it came from. */
export interface MeasuredRun {
  id: string
  level: 'serving' | 'sweeps'
  family: string
  workload: string
  /** How much load: a rate or a number of users. */
  load: string
  deployment: Deployment
  traffic: MeasuredTraffic
  measured: RunFigures
  interToken: InterTokenDefinition
  /** The first so many requests are left out of the measured figures, and so of the predicted ones. */
  coldRequests: number
  /** Why the run is reported but not scored. */
  unscored?: string
  /** What had to be assumed to build it. */
  assumptions: readonly string[]
  /** Errors that others published for this very run, as fractions of the measured figure, by their name. */
  published?: Readonly<Record<string, RunErrors>>
}

/** Signed relative errors: (predicted - measured) / measured, of means. */
export type RunErrors = Partial<Record<Quantity, number>>

/** A run that no simulation could be made for. */
export interface NotBuilt {
  id: string
  level: 'serving' | 'sweeps' | 'steps'
  reason: string
  /** Points lost: one for a run, one for each level of concurrency of a sweep. */
  points: number
  /** What was measured of it. */
  quantities: readonly Quantity[]
  /** Why it would not have been scored. */
  unscored?: string
}
