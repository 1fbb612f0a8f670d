/** What a step of one engine computes and reads, summed over its accelerators. Pure. */
export interface StepWork {
  /** Peak of the format in which the weights are multiplied. */
  readonly peakFlopsPerSecond: number
  readonly memoryBytesPerSecond: number
  /** FLOPs of the weights for one token. */
  readonly weightFlopsPerToken: number
  /** Bytes of weights that a step of `tokens` tokens reads. */
  weightBytes(tokens: number): number
  /** Attention layers by how far they see. */
  readonly attention: readonly AttentionReach[]
}

/** All attention layers that see equally far. */
export interface AttentionReach {
  /** Undefined where they see the whole context. */
  readonly windowTokens: number | undefined
  /** FLOPs of one query-key pair, summed over these layers. */
  readonly flopsPerPair: number
  /** Bytes of KV of one token in these layers. */
  readonly keyValueBytes: number
}

/** What a replica is made of. */
export interface ReplicaProfile {
  readonly accelerators: number
  /** Engines that step side by side, each on its share of the accelerators. */
  readonly engines: number
  readonly blockTokens: number
  /** Tokens that its KV cache holds. */
  readonly keyValueTokens: number
  readonly dollarsPerAcceleratorHour: number | undefined
  /** Rated power of one accelerator. */
  readonly wattsPerAccelerator: number | undefined
  /** Absent where the figures are not known. */
  readonly work: StepWork | undefined
}
