import type { EngineLimits } from '../engine.ts'

/** Limits of the static engine. `maxSequences` is the size of a full batch; `prefixCache` must be false. */
export interface StaticOptions extends EngineLimits {
  /** How long the longest waiting request may wait, from its arrival, for its batch to fill up; seconds, 0: never. */
  maxWaitSeconds: number
}
