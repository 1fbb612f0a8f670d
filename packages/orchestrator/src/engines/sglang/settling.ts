import type { Time } from '@windtunnel/des'
import type { SglangState } from './sglangState.ts'

/** Accounts pages and context for the first `steps` steps of the run composed last, evicting step by step where pages are short. */
export const settle = (state: SglangState, steps: number): void => {
  const { kv, group } = state
  let more = steps - state.settled
  if (more <= 0) return
  const run = state.lastComposed!
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
export const settleBy = (state: SglangState, now: Time): void => {
  settle(state, state.composedBy(now))
}

export const decodeStepsEndedBy = (state: SglangState, now: Time): number => {
  const current = state.current
  if (current !== undefined && current.sequences > 0) return current.firstStep + current.endedBy(now)
  const next = state.next
  return next !== undefined && next.sequences > 0 ? next.firstStep : state.group.step
}
