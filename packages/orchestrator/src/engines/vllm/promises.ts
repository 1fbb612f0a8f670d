import type { VllmState } from './vllmState.ts'

/** Blocks that the request can need at most. */
export const mostBlocks = (state: VllmState, slot: number): number => {
  const table = state.table
  return state.kv.blocksFor(table.inputTokens[slot]! + (state.context.prefillOnly ? 0 : table.maxTokens[slot]!))
}

export const canPromise = (state: VllmState, slot: number, spare: number): boolean => {
  return state.promised + mostBlocks(state, slot) + spare <= state.kv.totalBlocks
}

export const promise = (state: VllmState, slot: number): void => {
  if (!state.promises) return
  state.promised += mostBlocks(state, slot)
  state.peakPromised = Math.max(state.peakPromised, state.promised)
}

export const withdraw = (state: VllmState, slot: number): void => {
  if (state.promises) state.promised -= mostBlocks(state, slot)
}
