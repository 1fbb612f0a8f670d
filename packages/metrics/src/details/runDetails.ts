import type { Distribution } from '../summary/distribution.ts'
import type { RunSummary } from '../summary/runSummary.ts'

/** What one class of requests got. Shares are of its completed requests, 0 to 1; absent without such a limit. */
export interface ClassDetails {
  serviceClass: string
  arrived: number
  completed: number
  /** Requests per second within every limit. */
  goodput: number
  met: {
    /** Every limit at once; absent when no request completed. */
    all?: number
    ttft?: number
    tpot?: number
    e2e?: number
    /** Share of the gaps of all classes, pooled, within the limit on ITL. */
    itl?: number
  }
  ttft: Distribution
  tpot: Distribution
  e2e: Distribution
}

export interface Utilisation {
  /** Time in steps over the time of all replicas. */
  busyShare: number
  /** MFU: FLOPs of the model over what the accelerators could do; absent where the peak is not known. */
  modelFlops?: number
  /** MBU: bytes of weights and KV read over what the memories could deliver. */
  memoryBandwidth?: number
  /** The same two over the time in steps alone. */
  modelFlopsInSteps?: number
  memoryBandwidthInSteps?: number
  /** Decoding sequences, mean over the time in steps. */
  meanDecodeSequences: number
  /** Context of decoding sequences over what the KV cache holds, mean over the time in steps; text shared counts for each. */
  meanContextShare: number
}

export interface PrefixHits {
  queriedTokens: number
  hitTokens: number
  queriedBlocks: number
  hitBlocks: number
  /** Hits over look-ups, summed first: long prompts weigh more. */
  tokenRatioOfSums?: number
  blockRatioOfSums?: number
  /** The ratio of each admission, averaged: each request weighs the same. */
  tokenMeanOfRatios?: number
  blockMeanOfRatios?: number
}

export interface MoneyDetails {
  /** US dollars an hour: the mean over the window, each replica paid for while it is there. */
  dollarsPerHour: number
  /** For the window. */
  dollars: number
  dollarsPerMillionOutputTokens?: number
  /** Prompt tokens of completed requests and tokens delivered. */
  dollarsPerMillionTokens?: number
}

/** At the rated power of the accelerators, hosts left out. */
export interface EnergyDetails {
  /** All accelerators at rated power while their replicas are there: an upper bound. */
  ratedJoules: number
  /** At rated power during steps alone. */
  joulesInSteps: number
  joulesInStepsPerOutputToken?: number
}

export interface Fairness {
  tenants: number
  /** Jain's index over the tokens served to each tenant. */
  servedTokens?: number
  /** Jain's index over the share of what each tenant asked for that was served. */
  servedShare?: number
}

export type SaturationState = 'stable' | 'backlogged' | 'overloaded'

export interface Saturation {
  state: SaturationState
  /** A sentence with the figures that decided. */
  reason: string
}

/** Figures beside those of `RunFigures`; of the measured window, as those. Docs: docs/metrics.md. */
export interface RunDetails {
  window: { fromSeconds: number; untilSeconds: number; arrived: number }
  prefill: Distribution
  transfer: Distribution
  decode: Distribution
  /** E2E over output tokens of completed requests, seconds per token. */
  normalisedLatency: Distribution
  /** The client's view: TTFT and a network round trip, over requests that ended. */
  ttftFromSend: Distribution
  classes: ClassDetails[]
  perAccelerator?: {
    accelerators: number
    requestsPerSecond: number
    inputTokensPerSecond: number
    outputTokensPerSecond: number
  }
  utilisation?: Utilisation
  prefix: PrefixHits
  money?: MoneyDetails
  energy?: EnergyDetails
  fairness: Fairness
  saturation: Saturation
}

/** The JSON document of a run with its details. */
export interface DetailedSummary extends RunSummary {
  details: RunDetails
}
