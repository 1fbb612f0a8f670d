import type { StepBatch } from '@windtunnel/cost/step/stepCost'
import type { StepRun } from './stepRun.ts'

/**
 * Writes the batch of a step with prompts into `batch`, for the cost model. `windowTokens`: the context sum of its decoding
 * requests with each cut at the attention window; the context sum itself without one.
 */
export const describeBatch = (batch: StepBatch, run: StepRun, windowTokens: number): StepBatch => {
  batch.chunkCount = run.chunkCount
  batch.chunkSamples = 0
  for (let i = 0; i < run.chunkCount; i++) {
    const chunk = run.chunks[i]!
    batch.chunkTokens[i] = chunk.tokens
    batch.chunkContext[i] = chunk.context
    if (chunk.completes) batch.chunkSamples += 1
  }
  batch.decodeSequences = run.sequences
  batch.decodeContextTokens = run.contextTokens
  batch.decodeWindowTokens = windowTokens
  return batch
}
