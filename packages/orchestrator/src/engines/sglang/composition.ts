import type { Time } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { dropDepartures } from './leaving.ts'
import { formPrefill } from './prefillBatch.ts'
import { cutToReceive, receive } from './receiving.ts'
import { retractForRoom } from './retraction.ts'
import { settle } from './settling.ts'
import type { SglangRun } from './sglangRun.ts'
import type { SglangState } from './sglangState.ts'
import { timeRun } from './stepTimes.ts'

/** Composes the next step at `now`, to start at `start`; begins it when nothing runs. */
export const compose = (state: SglangState, now: Time, start: Time): void => {
  if (state.lastComposed !== undefined) settle(state, state.lastComposed.steps)
  receive(state)
  state.lastComposed = undefined
  if (state.departures.length > 0) dropDepartures(state, now)
  if (state.chunked !== NO_SLOT)
    state.kv.commit(state.chunked, state.table.computed[state.chunked]!, state.current !== undefined)
  join(state)
  const run = state.takeSpare()
  run.clear()
  let retracted = false
  if (!formPrefill(state, run, now)) {
    retracted = retractForRoom(state, now)
    run.sequences = state.group.sequences
  } else if (state.options.mixedChunk) run.sequences = state.group.sequences
  if (run.sequences === 0 && run.chunkCount === 0) {
    state.giveBack(run)
    state.endedDecodes = 0
    if (state.current !== undefined) return
    state.ratio.reset()
    if (retracted || state.unreceived.length > 0) compose(state, now, start)
    return
  }
  run.startAt(start)
  timeRun(state, run)
  if (state.unreceived.length > 0) cutToReceive(state, run, 1)
  state.lastComposed = run
  state.joinFrom = run
  state.settled = 0
  settle(state, 1)
  tellChunks(state, run)
  if (state.current === undefined) state.begin(run)
  else state.next = run
}

export const tellChunks = (state: SglangState, run: SglangRun): void => {
  const time = run.startsAt
  for (let i = 0; i < run.chunkCount; i++) {
    const chunk = run.chunks[i]!
    const request = state.table.id[chunk.slot]!
    state.context.facts.observer.prefillChunk(request, time, state.context.replica, chunk.tokens, chunk.context)
  }
}

/** Prompts completed by the last composed step, and transferred requests, decode from the next decode step on. */
export const join = (state: SglangState): void => {
  const table = state.table
  const from = state.joinFrom
  state.joinFrom = undefined
  state.fresh.length = 0
  const flying = from !== undefined && from === state.current ? 1 : 0
  for (let i = 0; from !== undefined && i < from.chunkCount && !state.context.prefillOnly; i++) {
    const { slot, completes } = from.chunks[i]!
    if (!completes || slot === NO_SLOT) continue
    const emitted = table.emitted[slot]! + flying
    table.phase[slot] = PHASE.decode
    state.group.join(slot, table.computed[slot]!, emitted, table.outputTokens[slot]! - emitted)
    state.members.add(slot)
    state.fresh.push(slot)
  }
  state.insertedNow = state.inserted.length
  for (const slot of state.inserted) {
    state.reserved -= 1
    state.group.join(slot, table.inputTokens[slot]!, 1, table.outputTokens[slot]! - 1)
    state.members.add(slot)
    state.late.push(slot)
  }
  state.inserted.length = 0
  const decoding = state.current !== undefined && state.current.sequences > 0
  state.flying = decoding
    ? state.group.sequences - state.insertedNow - (flying === 1 ? 0 : state.fresh.length)
    : state.fresh.length * flying
}
