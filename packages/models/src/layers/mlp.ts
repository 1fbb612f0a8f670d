/** The same weights for every token. Gated (SwiGLU, GeGLU): three matrices; plain: two. */
export interface DenseMlp {
  readonly kind: 'dense'
  readonly intermediateSize: number
  readonly gated: boolean
  readonly bias?: boolean
}

/** A router sends each token to `expertsPerToken` of `experts`; shared experts see every token. */
export interface MoeMlp {
  readonly kind: 'moe'
  readonly experts: number
  readonly expertsPerToken: number
  readonly expertIntermediateSize: number
  readonly gated: boolean
  /** Number of experts that every token uses; 0 without. */
  readonly sharedExperts: number
  /** Intermediate size of one shared expert; needed when there are any. */
  readonly sharedExpertIntermediateSize?: number
  /** A learned scalar gate on the shared expert (Qwen 2 MoE and Qwen 3.5). */
  readonly sharedExpertGate?: boolean
  /** A bias per expert in the router (gpt-oss), or a correction used for load balancing (DeepSeek V3). */
  readonly routerBias?: boolean
  readonly expertBias?: boolean
}

export type Mlp = DenseMlp | MoeMlp
