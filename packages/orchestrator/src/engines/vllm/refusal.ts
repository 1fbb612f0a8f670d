import { mostBlocks } from './promises.ts'
import type { VllmState } from './vllmState.ts'

/** Why the request can never be served here; undefined when it can. */
export const refuses = (state: VllmState, slot: number): string | undefined => {
  const table = state.table
  const options = state.options
  const input = table.inputTokens[slot]!
  const limit = table.maxTokens[slot]!
  if (input + limit > options.maxModelLength) {
    return `prompt of ${input} tokens and max_tokens ${limit} exceed the maximum model length of ${options.maxModelLength}`
  }
  const blocks = state.kv.blocksFor(input)
  if (blocks > state.kv.totalBlocks) {
    return `prompt of ${input} tokens needs ${blocks} KV blocks of ${options.blockSize} tokens, the replica has ${state.kv.totalBlocks}`
  }
  const most = mostBlocks(state, slot)
  if (state.promises && most > state.kv.totalBlocks) {
    return `prompt of ${input} tokens and max_tokens ${limit} need ${most} KV blocks of ${options.blockSize} tokens, the replica has ${state.kv.totalBlocks}`
  }
  if (!options.chunkedPrefill && input > options.maxBatchedTokens) {
    return `prompt of ${input} tokens exceeds the budget of ${options.maxBatchedTokens} batched tokens, and chunked prefill is off`
  }
  return undefined
}
