import type { Time } from '@windtunnel/des'
import { emptied } from '../../emptied.ts'
import type { Origin } from '../../kv/visibility.ts'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { StepRun } from '../stepRun.ts'
import { withdraw } from './promises.ts'
import type { VllmState } from './vllmState.ts'

/** Takes a running request out of everything but the table, discarding a token in flight. Returns its computed tokens. */
export const leaveRunning = (state: VllmState, slot: number): number => {
  const table = state.table
  state.list.remove(slot)
  state.running -= 1
  withdraw(state, slot)
  const decoding = table.phase[slot] === PHASE.decode
  const basis = decoding ? table.joinComputed[slot]! : table.computed[slot]!
  const held = decoding ? leaveDecode(state, slot) : basis
  if (!decoding) {
    const at = state.prefilling.indexOf(slot)
    if (at >= 0) state.prefilling.splice(at, 1)
    discardChunk(state, slot)
  }
  state.waiting.left?.(slot)
  freeBlocks(state, slot, basis, held, Math.min(held, table.inputTokens[slot]! + table.emitted[slot]!), 'flight')
  return held
}

export const leaveDecode = (state: VllmState, slot: number): number => {
  const table = state.table
  const group = state.group
  const held = group.computedAt(slot, group.step)
  const flying = state.lag === 1 ? state.current : undefined
  if (table.joinStep[slot] === group.step) {
    if (flying === undefined || !discardChunk(state, slot)) table.emitted[slot] = table.joinEmitted[slot]!
  } else {
    table.emitted[slot] = group.emittedAt(slot, flying === undefined ? group.step : group.step - 1)
    if (flying !== undefined) discardToken(slot, flying)
  }
  if (table.joinEmitted[slot]! < table.outputTokens[slot]!) group.calendar.remove(slot)
  group.leaveSums(slot)
  return held
}

/** The request's token of the step in flight will not be delivered. */
export const discardToken = (slot: number, flying: StepRun): void => {
  const irregular = flying.irregular.indexOf(slot)
  if (irregular >= 0) flying.irregular.splice(irregular, 1)
  flying.droppedInLast += 1
}

/** Forgets the request's completed prompt, in flight or ended; true when its token is in flight and so discarded. */
export const discardChunk = (state: VllmState, slot: number): boolean => {
  let flying = false
  for (const run of [state.joinFrom, state.current]) {
    for (let i = 0; run !== undefined && i < run.chunkCount; i++) {
      const chunk = run.chunks[i]!
      if (chunk.slot !== slot) continue
      chunk.slot = NO_SLOT
      if (run === state.current) flying ||= chunk.completes
    }
  }
  return flying
}

/**
 * Caches the first `text` tokens the request computed, and frees its blocks. While it decoded, the group took blocks for
 * it from `basis` to `held` computed tokens; they are its own.
 */
export const freeBlocks = (
  state: VllmState,
  slot: number,
  basis: number,
  held: number,
  text: number,
  origin: Origin,
): void => {
  state.table.privateBlocks[slot]! += state.kv.blocksFor(held) - state.kv.blocksFor(basis)
  state.kv.commit(slot, text, origin)
  state.kv.release(slot)
}

export const dropDepartures = (state: VllmState, now: Time): void => {
  for (const slot of state.departures) {
    const inserted = state.inserted.indexOf(slot)
    if (inserted >= 0) {
      state.inserted.splice(inserted, 1)
      state.running -= 1
      withdraw(state, slot)
      state.kv.release(slot)
    } else {
      leaveRunning(state, slot)
    }
    state.blocked = false
    state.context.finished(slot, now)
  }
  emptied(state.departures)
}

/** The request leaves by itself before its departure was taken up. */
export const forgetDeparture = (state: VllmState, slot: number): void => {
  if (state.table.clientLeft[slot] === 0) return
  const at = state.departures.indexOf(slot)
  if (at >= 0) state.departures.splice(at, 1)
}
