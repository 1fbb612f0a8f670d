import type { Attention } from './layers/attention.ts'
import type { Mlp } from './layers/mlp.ts'

/** One transformer block. */
export interface Layer {
  readonly attention: Attention
  readonly mlp: Mlp
}

/** Sampling that the publisher's generation_config.json asks for. A server that honours it pays for the sort. */
export interface SamplingDefaults {
  readonly temperature?: number
  readonly topP?: number
  readonly topK?: number
}

/** Weights outside the blocks, embedding and final norm: a vision tower, learned positions, a draft head. */
export interface ExtraParameters {
  readonly name: string
  readonly parameters: number
  /** Whether a text token passes through them. */
  readonly activated: boolean
}

/** A decoder-only transformer as data. Sizes are in elements; layers stand in order, first to last. */
export interface Architecture {
  readonly name: string
  /** The public name, usually of the Hugging Face repository. */
  readonly title: string
  readonly hiddenSize: number
  readonly vocabSize: number
  /** The unembedding is the embedding, stored once. */
  readonly tiedEmbeddings: boolean
  /** Bias of the unembedding. */
  readonly unembeddingBias?: boolean
  readonly maxContextTokens: number
  readonly layers: readonly Layer[]
  /** `rms` has one weight per element, `layer` a weight and a bias. */
  readonly norm: 'rms' | 'layer'
  /** Norms of hidden size in one block: 2 for pre-norm, 4 with norms after the sublayers too (Gemma 2), 1 for parallel blocks. */
  readonly normsPerLayer: number
  readonly extras?: readonly ExtraParameters[]
  readonly sampling?: SamplingDefaults
  /** Where the sizes come from. */
  readonly source: string
}

/** `count` equal layers. */
export const repeat = (count: number, layer: Layer): Layer[] => Array.from({ length: count }, () => layer)

/** `count` layers, layer i from `pick(i)`, i from 0. Return the same object for equal layers. */
export const layersBy = (count: number, pick: (index: number) => Layer): Layer[] =>
  Array.from({ length: count }, (_, index) => pick(index))
