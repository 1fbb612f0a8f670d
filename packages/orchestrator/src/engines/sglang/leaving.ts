import type { Time } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { knownTokens, producedBy } from './requestTokens.ts'
import type { SglangRun } from './sglangRun.ts'
import type { SglangState } from './sglangState.ts'

/**
 * Takes a request out of everything but the table, discarding a token in flight; its computed text enters the tree when
 * `keep`. Returns its computed tokens.
 */
export const leave = (state: SglangState, slot: number, now: Time, keep: boolean): number => {
  const table = state.table
  state.running -= 1
  const decoding = table.phase[slot] === PHASE.decode
  const basis = decoding ? table.joinComputed[slot]! : table.computed[slot]!
  let held = basis
  if (decoding) held = leaveDecode(state, slot, now)
  if (state.chunked === slot) state.chunked = NO_SLOT
  discardChunk(state, slot)
  table.privateBlocks[slot]! += state.kv.pagesFor(held) - state.kv.pagesFor(basis)
  if (keep) state.kv.commit(slot, Math.min(held, knownTokens(state, slot)), state.current !== undefined)
  state.kv.release(slot)
  return held
}

export const leaveDecode = (state: SglangState, slot: number, now: Time): number => {
  const table = state.table
  const group = state.group
  const current = state.current
  const held = group.computedAt(slot, group.step)
  const produced = producedBy(state, slot)
  if (produced > table.joinEmitted[slot]!) {
    table.irregular[slot] = 1
    const last = current !== undefined && current.sequences > 0 && current.steps > 1 ? now : state.decodeEnd
    table.lastTokenSeconds[slot] = last.seconds
    table.lastTokenTicks[slot] = last.ticks
  } else if (produced > 0) table.irregular[slot] = 1
  if (table.joinStep[slot] !== group.step && current !== undefined && current.sequences > 0)
    discardToken(state, slot, current)
  table.emitted[slot] = produced
  leaveGroup(state, slot)
  return held
}

export const leaveGroup = (state: SglangState, slot: number): void => {
  const table = state.table
  if (table.joinEmitted[slot]! < table.outputTokens[slot]!) state.group.calendar.remove(slot)
  state.group.leaveSums(slot)
  state.members.remove(slot)
  remove(state.late, slot)
  remove(state.fresh, slot)
}

/** The request's token of the step in flight will not be delivered. */
export const discardToken = (state: SglangState, slot: number, flying: SglangRun): void => {
  flying.droppedInLast += 1
  if (remove(flying.irregular, slot)) return
  if (state.table.joinStep[slot]! < flying.firstStep && flying.steps === 1) flying.droppedStretched += 1
}

/** Forgets the request's chunk, in flight or ended. */
export const discardChunk = (state: SglangState, slot: number): void => {
  for (const run of [state.joinFrom, state.current]) {
    for (let i = 0; run !== undefined && i < run.chunkCount; i++)
      if (run.chunks[i]!.slot === slot) run.chunks[i]!.slot = NO_SLOT
  }
}

export const dropDepartures = (state: SglangState, now: Time): void => {
  for (const slot of state.departures) {
    if (remove(state.inserted, slot)) {
      state.running -= 1
      state.reserved -= 1
      state.kv.release(slot)
    } else leave(state, slot, now, true)
    state.kv.forget(slot)
    state.full = false
    state.context.finished(slot, now)
  }
  state.departures.length = 0
}

/** The request leaves by itself before its departure was taken up. */
export const forgetDeparture = (state: SglangState, slot: number): void => {
  if (state.table.clientLeft[slot] === 1) remove(state.departures, slot)
}

/** Takes `item` out of `list`; whether it was in. */
export const remove = (list: number[], item: number): boolean => {
  const at = list.indexOf(item)
  if (at >= 0) list.splice(at, 1)
  return at >= 0
}
