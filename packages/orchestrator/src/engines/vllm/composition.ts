import { copyTime, type Time } from '@windtunnel/des'
import type { StepRun } from '../stepRun.ts'
import { admit, continuePrefill } from './admission.ts'
import { foreseeEndings, joinDecode } from './decodeJoins.ts'
import { dropDepartures } from './departures.ts'
import { chooseVictim, preempt, scheduledTokens } from './preemption.ts'
import { settle, settleFirst } from './settling.ts'
import { beginRun } from './stepEnds.ts'
import { timeRun } from './stepTimes.ts'
import type { VllmState } from './vllmState.ts'

/** Composes the next step at `now`, to start at `start`; begins it when nothing runs. */
export const compose = (state: VllmState, now: Time, start: Time): void => {
  if (state.lastComposed !== undefined) settle(state, state.lastComposed.steps)
  state.lastComposed = undefined
  state.kv.visibility.begin(now)
  if (state.departures.length > 0) dropDepartures(state, now)
  state.ghostly = false
  if (state.lag === 1) foreseeEndings(state)
  const run = state.takeSpare()
  joinDecode(state, run)
  run.chunkCount = 0
  run.prefillTokens = 0
  run.droppedInLast = 0
  run.reported = 0
  const preempted = fillStep(state, run, now)
  if (state.group.sequences === 0 && run.chunkCount === 0) {
    state.giveBack(run)
    if (preempted && state.current === undefined) compose(state, now, start)
    return
  }
  run.startAt(start)
  timeRun(state, run, preempted)
  state.kv.visibility.takeOff()
  state.lastComposed = run
  state.joinFrom = run
  settleFirst(state)
  if (run.chunkCount > 0 && state.facts.chunks) tellChunks(state, run)
  if (state.current === undefined) beginRun(state, run, now)
  else state.next = run
}

/** Puts every running request's share and new admissions into `run`. Returns whether somebody was preempted. */
export const fillStep = (state: VllmState, run: StepRun, now: Time): boolean => {
  const group = state.group
  let preempted = false
  while (group.blocksNeededNow() > state.kv.freeBlocks) {
    preempted = true
    preempt(state, chooseVictim(state), run, now)
  }
  let budget = state.options.maxBatchedTokens - group.sequences
  for (let i = 0; i < state.prefilling.length; ) {
    const slot = state.prefilling[i]!
    const taken = continuePrefill(state, slot, run, budget)
    if (taken === undefined) {
      preempted = true
      const victim = chooseVictim(state)
      const at = state.prefilling.indexOf(victim)
      budget += scheduledTokens(state, victim, run)
      preempt(state, victim, run, now)
      if (victim === slot) break
      if (at >= 0 && at < i) i -= 1
      continue
    }
    budget -= taken
    if (state.prefilling[i] === slot) i += 1
  }
  state.blocked = false
  state.taken = group.blocksNeededNow()
  if (state.taken > 0) state.kv.take(state.taken)
  if (!preempted && state.waiting.length > 0) {
    copyTime(state.clock, now)
    admit(state, run, budget, now)
    if (state.waiting.dynamic === true) state.blocked = false
  }
  return preempted
}

export const tellChunks = (state: VllmState, run: StepRun): void => {
  const time = run.startsAt
  for (let i = 0; i < run.chunkCount; i++) {
    const chunk = run.chunks[i]!
    const request = state.table.id[chunk.slot]!
    state.facts.observer.prefillChunk(request, time, state.context.replica, chunk.tokens, chunk.context)
  }
}
