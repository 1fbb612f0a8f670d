/** Heads of softmax attention with its own keys and values: MHA (kvHeads = queryHeads), GQA, or MQA (kvHeads = 1). */
export interface HeadShape {
  readonly queryHeads: number
  readonly kvHeads: number
  /** Elements of one query or key head. */
  readonly headDim: number
  /** Elements of one value head, where it differs from `headDim`. */
  readonly valueHeadDim?: number
  /** Biases on the query, key and value projections. */
  readonly qkvBias?: boolean
  /** Bias on the output projection. */
  readonly outputBias?: boolean
  /** RMS norm of queries and keys: one weight per element of a head, or of all heads together. */
  readonly qkNorm?: 'per-head' | 'all-heads'
  /** The query projection also yields an elementwise gate of the output, so it is twice as wide. */
  readonly outputGate?: boolean
  /** One learned softmax sink per query head. */
  readonly sinks?: boolean
  /** The layer has no key or value projection and stores nothing: it reads the KV of an earlier layer. */
  readonly reusesKv?: boolean
  /** The values are the keys: one cached vector per KV head serves as both (no value projection). */
  readonly valuesAreKeys?: boolean
}

/** Every token attends to all tokens before it. */
export interface FullAttention extends HeadShape {
  readonly kind: 'full'
}

/** Every token attends to the last `windowTokens` tokens, itself included. */
export interface SlidingWindowAttention extends HeadShape {
  readonly kind: 'sliding-window'
  readonly windowTokens: number
}

/** The context is cut into chunks of `windowTokens`; a token attends to those before it in its own chunk. */
export interface ChunkedAttention extends HeadShape {
  readonly kind: 'chunked'
  readonly windowTokens: number
}

/** Picks `topTokens` of the context for each query by a small scorer with its own cached keys (sparse attention). */
export interface Indexer {
  readonly heads: number
  readonly headDim: number
  readonly topTokens: number
}

/**
 * A latent cache that keeps every token only within a window, and before it one vector for some tokens (DeepSeek V4).
 * Heads attend over the vectors themselves, which are keys and values at once, and leave through a low-rank output.
 */
export interface CompressedCache {
  readonly windowTokens: number
  /** Tokens behind one vector outside the window; undefined where the layer sees its window only. */
  readonly tokensPerEntry?: number
  /** Neighbouring entries overlap, so that the compressor is twice as wide. */
  readonly overlap?: boolean
  readonly outputGroups: number
  readonly outputRank: number
}

/** Multi-head latent attention (DeepSeek V2): one compressed vector per token, shared by all heads, is cached. */
export interface LatentAttention {
  readonly kind: 'latent'
  readonly queryHeads: number
  /** Rank of the query projection; undefined where queries are projected directly. */
  readonly queryRank?: number
  readonly kvRank: number
  readonly ropeHeadDim: number
  readonly nopeHeadDim: number
  readonly valueHeadDim: number
  readonly indexer?: Indexer
  /** Absent where the cache keeps every token and the heads have projections of their own from it. */
  readonly compressedCache?: CompressedCache
}

/**
 * Attention with a recurrent state of `valueHeads * keyHeadDim * valueHeadDim` elements per sequence, whatever the
 * context, after a short causal convolution. `mamba2` reads: keyHeads = groups, keyHeadDim = state size,
 * valueHeads = heads, valueHeadDim = head dim. `lightning` has no convolution (`convKernel: 0`).
 */
export interface LinearAttention {
  readonly kind: 'linear'
  readonly form: 'gated-delta' | 'kimi-delta' | 'lightning' | 'mamba2'
  readonly keyHeads: number
  readonly valueHeads: number
  readonly keyHeadDim: number
  readonly valueHeadDim: number
  /** Taps of the causal convolution. */
  readonly convKernel: number
}

export type GroupedAttention = FullAttention | SlidingWindowAttention | ChunkedAttention
export type Attention = GroupedAttention | LatentAttention | LinearAttention

export const isGrouped = (attention: Attention): attention is GroupedAttention =>
  attention.kind === 'full' || attention.kind === 'sliding-window' || attention.kind === 'chunked'
