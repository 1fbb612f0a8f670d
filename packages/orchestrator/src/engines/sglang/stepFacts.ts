import { type Time, toSeconds } from '@windtunnel/des'
import type { SglangRun } from './sglangRun.ts'
import type { SglangState } from './sglangState.ts'

/** Tells observers about the steps of `run` before step `upTo` that they have not heard of. */
export const reportRun = (state: SglangState, run: SglangRun, upTo: number): void => {
  const from = run.reported
  if (upTo <= from) return
  const { observer } = state.context.facts
  const replica = state.context.replica
  const begin = toSeconds(run.boundary(from, state.at))
  reportGaps(state, run, from, upTo)
  const end = toSeconds(run.boundary(upTo, state.at))
  const context = run.contextTokens + run.sequences * from
  observer.stepped(replica, begin, end, upTo - from, run.sequences, run.prefillTokens, context, run.sequences)
  run.reported = upTo
}

export const reportGaps = (state: SglangState, run: SglangRun, from: number, upTo: number): void => {
  let step = from
  const dropped = upTo === run.steps ? run.droppedInLast : 0
  const regular = run.sequences - run.ghosts - run.irregular.length
  if (from === 0 && run.stretchTicks > 0) {
    const lost = run.steps === 1 ? dropped : 0
    const stretched = run.stretched - (run.steps === 1 ? run.droppedStretched : 0)
    tellGaps(state, run.stretchStart, 1, stretched, run.stretchTicks + run.firstTicks, 0)
    tellGaps(state, run.boundary(0, state.at), 1, regular - lost - stretched, run.firstTicks, 0)
    step = 1
  }
  const whole = dropped > 0 ? upTo - step - 1 : upTo - step
  const first = run.firstTicks + run.growthTicks * step
  tellGaps(state, run.boundary(step, state.at), whole, regular, first, run.growthTicks)
  if (dropped === 0 || step === upTo) return
  const last = run.firstTicks + run.growthTicks * (upTo - 1)
  tellGaps(state, run.boundary(upTo - 1, state.at), 1, regular - dropped, last, 0)
}

export const tellGaps = (
  state: SglangState,
  start: Time,
  steps: number,
  sequences: number,
  gapTicks: number,
  growthTicks: number,
): void => {
  if (steps <= 0 || sequences <= 0) return
  const { observer } = state.context.facts
  observer.decodeRun(state.context.replica, toSeconds(start), steps, sequences, gapTicks, growthTicks)
}
