import type { Layer } from '../architecture.ts'
import type { HeadShape } from '../layers/attention.ts'

/** A block of full attention and a dense, gated MLP: the common case. */
export const denseLayer = (heads: HeadShape, intermediateSize: number): Layer => ({
  attention: { kind: 'full', ...heads },
  mlp: { kind: 'dense', intermediateSize, gated: true },
})
