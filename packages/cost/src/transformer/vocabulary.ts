import { requirePositive } from '../costInputError.ts'
import { type Pass, passMultiplier } from './pass.ts'

/** Parameters of the embeddings: DV where input and output share them, else 2DV. Book ch. 4, M6. */
export function vocabularyParams(inputs: { dModel: number; vocabulary: number; tied: boolean }): number {
  requirePositive('vocabularyParams', { dModel: inputs.dModel, vocabulary: inputs.vocabulary })
  return (inputs.tied ? 1 : 2) * inputs.dModel * inputs.vocabulary
}

/**
 * FLOPs of the vocabulary over `tokens` tokens: the unembedding alone (6BTDV in training), or, as the book's summary
 * table has it, the input embedding too, counted as if it were a matmul (12BTDV). Book ch. 4, M6.
 */
export function vocabularyFlops(inputs: {
  dModel: number
  vocabulary: number
  tokens: number
  count: 'unembedding' | 'unembedding-and-embedding'
  pass: Pass
}): number {
  const { dModel, vocabulary, tokens, count, pass } = inputs
  requirePositive('vocabularyFlops', { dModel, vocabulary, tokens })
  return 2 * dModel * vocabulary * tokens * passMultiplier(pass) * (count === 'unembedding' ? 1 : 2)
}
