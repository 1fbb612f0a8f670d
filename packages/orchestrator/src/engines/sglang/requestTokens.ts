import type { SglangState } from './sglangState.ts'

/** Why a text of `tokens` tokens can never run here; undefined when it can. */
export const whyNever = (state: SglangState, tokens: number): string | undefined => {
  const page = state.options.blockSize
  const all = state.kv.totalPages * page
  if (tokens + page <= all) return undefined
  return `${tokens} tokens and a page of ${page} need more than the ${all} tokens of KV memory of the replica`
}

export const knownTokens = (state: SglangState, slot: number): number => {
  return state.table.inputTokens[slot]! + state.table.emitted[slot]!
}

/** Output limit of a request as admission knows it: what the client allows, as far as it could ever fit beside the prompt. */
export const limitOf = (state: SglangState, slot: number): number => {
  const page = state.options.blockSize
  const most = state.kv.totalPages * page - state.table.inputTokens[slot]! - page - 1
  return Math.min(state.context.prefillOnly ? 1 : state.table.maxTokens[slot]!, most)
}

/** Tokens of a running request that are out, those in flight not counted. */
export const producedBy = (state: SglangState, slot: number): number => {
  const { step } = state.group
  if (state.table.joinStep[slot] === step) return state.table.emitted[slot]!
  const decoding = state.current !== undefined && state.current.sequences > 0
  return state.group.emittedAt(slot, decoding ? step - 1 : step)
}
