import type { Distribution } from './distribution.ts'

export interface RequestTotals {
  arrived: number
  completed: number
  rejected: number
  failed: number
  cancelled: number
  timedOut: number
  unfinished: number
}

/** Figures that the facts alone give. Times in virtual seconds. */
export interface RunFigures {
  requests: RequestTotals
  /** Arrival to first token, over requests that got one. */
  ttft: Distribution
  /** Gaps between consecutive tokens, pooled over requests. */
  itl: Distribution
  /** (last token - first token) / (n - 1) per completed request of two tokens or more. */
  tpot: Distribution
  /** Arrival to last token, over completed requests. */
  e2e: Distribution
  /** Arrival to first admission. */
  queue: Distribution
  throughput: {
    /** Completed requests. */
    requestsPerSecond: number
    /** Prompt tokens of completed requests. */
    inputTokensPerSecond: number
    /** Tokens delivered, to whatever request. */
    outputTokensPerSecond: number
  }
  /** Requests per second that met every objective of their class; all completed ones where there is none. */
  goodput: number
  kv: {
    /** Largest share of KV blocks in use on any replica. */
    peakUtilisation: number
    /** Prompt tokens found in a prefix cache over prompt tokens looked up: ratio of sums. */
    prefixHitRate: number
  }
  preemptions: number
  simulatedSeconds: number
}

/** What a run is called and what it stood on. */
export interface RunLabels {
  scenario: string
  seed: number
  cost: { backend: string; extrapolated: boolean }
  warnings: readonly string[]
  /** Wall seconds of the simulation alone. */
  simulatorSeconds: number
}

/** The JSON document of a run. Kept stable: `version` rises when a field changes its meaning. */
export interface RunSummary extends RunFigures, RunLabels {
  version: 1
  /** 16 hexadecimal digits over the request-level facts in their order. */
  factsHash: string
}
