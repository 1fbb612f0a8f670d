import type { StepBatch } from '@windtunnel/cost/step/stepCost'
import type { StepRun } from './stepRun.ts'

/**
 * Writes the batch of a step with prompts into `batch`, for the cost model. `windowTokens`: the context sum of its decoding
 * requests with each cut at the attention window; the context sum itself without one.
 */
export const describeBatch = (batch: StepBatch, run: StepRun, windowTokens: number): StepBatch => {
  const { chunks, chunkCount } = run
  const { chunkTokens, chunkContext } = batch
  while (chunkTokens.length < chunkCount) {
    chunkTokens.push(0)
    chunkContext.push(0)
  }
  let samples = 0
  for (let i = 0; i < chunkCount; i++) {
    const chunk = chunks[i]!
    chunkTokens[i] = chunk.tokens
    chunkContext[i] = chunk.context
    if (chunk.completes) samples += 1
  }
  batch.chunkCount = chunkCount
  batch.chunkSamples = samples
  batch.decodeSequences = run.sequences
  batch.decodeContextTokens = run.contextTokens
  batch.decodeWindowTokens = windowTokens
  return batch
}
