import type { Time } from '@windtunnel/des'
import type { SglangRun } from './sglangRun.ts'
import type { SglangState } from './sglangState.ts'

/**
 * Takes up what came in when it is time to: after anything but decode steps, and after every `receiveInterval` of those.
 * Called at a composition, when the run composed last is settled.
 */
export const receive = (state: SglangState): void => {
  const interval = state.receiveInterval
  if (interval <= 1) return
  const last = state.lastComposed
  const decodes = last === undefined ? state.endedDecodes : last.chunkCount === 0 ? last.steps : 0
  state.sinceReceived = decodes === 0 ? 0 : (state.sinceReceived + decodes) % interval
  if (state.sinceReceived > 0) return
  for (const slot of state.unreceived) state.waiting.push(slot)
  state.unreceived.length = 0
}

/** A request has come at `now` and is not received yet: the run in progress ends where the engine looks for it. */
export const wakeToReceive = (state: SglangState, now: Time): void => {
  const current = state.current
  if (current === undefined) state.wake(now)
  else if (state.canCut) cutToReceive(state, current, Math.max(1, current.firstBoundaryFrom(now) + state.lag))
}

/** Cuts a run, the one composed last, at the first composition from its step `from` on at which requests are received. */
export const cutToReceive = (state: SglangState, run: SglangRun, from: number): void => {
  if (run.chunkCount > 0) {
    run.steps = Math.min(run.steps, from)
    return
  }
  const interval = state.receiveInterval
  const first = interval - state.sinceReceived
  const at = from <= first ? first : first + interval * Math.ceil((from - first) / interval)
  run.steps = Math.min(run.steps, at)
}
