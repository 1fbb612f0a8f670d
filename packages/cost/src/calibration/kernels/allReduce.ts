/** Fitted figures of one collective among a number of ranks. */
export interface CollectiveParameters {
  ranks: number
  fixedSeconds: number
  bytesPerSecond: number
  /** Part that grows with the square root of the bytes: rings fill up slowly. */
  secondsPerRootByte: number
}

/** Bytes that one rank sends in an all-reduce of `payloadBytes`: 2 (n - 1) / n of them. */
export const allReduceBytes = (payloadBytes: number, ranks: number): number => (2 * payloadBytes * (ranks - 1)) / ranks

/** alpha + x / beta + gamma sqrt(x), x being the bytes that one rank sends. Seconds. */
export const collectiveSeconds = (p: CollectiveParameters, sentBytes: number): number =>
  p.fixedSeconds + sentBytes / p.bytesPerSecond + p.secondsPerRootByte * Math.sqrt(sentBytes)
