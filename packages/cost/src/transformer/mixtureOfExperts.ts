import { requirePositive } from '../costInputError.ts'

/**
 * Tokens in a batch above which a mixture of experts is compute-bound: E/k times the critical batch of a dense model, for
 * each expert sees k/E of the tokens. Uniform routing. Book ch. 4, M10 (training and prefill); ch. 7, I13 (decode).
 */
export function moeCriticalBatchTokens(inputs: {
  experts: number
  expertsPerToken: number
  /** Critical batch of a dense model on the same accelerator and dtypes, in tokens (R8, I4). */
  denseCriticalBatchTokens: number
}): number {
  const { experts, expertsPerToken, denseCriticalBatchTokens } = inputs
  requirePositive('moeCriticalBatchTokens', { experts, expertsPerToken, denseCriticalBatchTokens })
  return (experts / expertsPerToken) * denseCriticalBatchTokens
}
