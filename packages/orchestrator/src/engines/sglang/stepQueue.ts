import { copyTime, type Time } from '@windtunnel/des'
import type { SglangState } from './sglangState.ts'

/** Something new is here at `now`: the run in progress ends at the next boundary at which it can be taken up. */
export function wake(state: SglangState, now: Time): void {
  const current = state.current
  if (current === undefined) {
    if (state.due) return
    state.due = true
    copyTime(state.dueAt, now)
    return
  }
  if (state.next !== undefined || state.attempted) return
  const boundary = current.firstBoundaryFrom(now) + state.lag
  current.steps = Math.min(current.steps, Math.max(1, boundary))
}

/** Accounts pages and context for the first `steps` steps of the run composed last, evicting step by step where pages are short. */
export function settle(state: SglangState, steps: number): void {
  const run = state.lastComposed!
  const group = state.group
  const { kv } = state
  let more = steps - state.settled
  if (more <= 0) return
  state.settled = steps
  if (run.sequences === 0) return
  if (run.chunkCount === 0) state.ratio.decoded(more)
  while (more > 0) {
    const fit = Math.max(1, group.stepsThatFit(kv.freePages, more))
    kv.take(group.blocksNeeded(fit))
    group.advance(fit)
    more -= fit
  }
}

/** Accounts the steps composed before `now`. */
export function settleBy(state: SglangState, now: Time): void {
  const run = state.lastComposed
  if (run === undefined) return
  settle(state, Math.min(run.steps, Math.max(1, run.firstBoundaryFrom(now) + state.lag)))
}

export function decodeStepsEndedBy(state: SglangState, now: Time): number {
  const current = state.current
  if (current !== undefined && current.sequences > 0) return current.firstStep + current.endedBy(now)
  const next = state.next
  return next !== undefined && next.sequences > 0 ? next.firstStep : state.group.step
}
