import { type Time, toSeconds } from '@windtunnel/des'
import { PHASE } from '../../requests.ts'
import type { StepRun } from '../stepRun.ts'
import type { VllmState } from './vllmState.ts'

/** Accounts blocks and context for the first `steps` steps of the run composed last. */
export const settle = (state: VllmState, steps: number): void => {
  const more = steps - state.settled
  if (more <= 0) return
  const { group, kv } = state
  const blocks = group.blocksNeeded(more)
  if (blocks > 0) kv.take(blocks)
  group.advance(more)
  state.settled = steps
}

/** Accounts the first step of the run just composed, whose members have taken most of their blocks already. */
export const settleFirst = (state: VllmState): void => {
  const { group } = state
  const blocks = group.blocksNeededNow() - state.taken
  if (blocks > 0) state.kv.take(blocks)
  group.advanceOne()
  state.taken = 0
  state.settled = 1
}

/** Accounts the steps composed before `now`. */
export const settleBy = (state: VllmState, now: Time): void => {
  settle(state, state.composedBy(now))
}

export const stepsEndedBy = (state: VllmState, now: Time): number => {
  const current = state.current
  return current === undefined ? state.group.step : current.firstStep + current.endedBy(now)
}

/** Tells observers about the steps of `run` before step `upTo` that they have not heard of. */
export const reportRun = (state: VllmState, run: StepRun, upTo: number): void => {
  const from = run.reported
  if (upTo <= from) return
  const { observer, steps } = state.facts
  const { replica } = state.context
  const begin = from === 0 ? run.startsAt : toSeconds(run.boundary(from, state.at))
  const sequences = run.sequences - run.ghosts - run.irregular.length
  const first = run.firstTicks + run.growthTicks * from
  const dropped = upTo === run.steps ? run.droppedInLast : 0
  const whole = dropped > 0 ? upTo - from - 1 : upTo - from
  if (sequences > 0 && whole > 0) observer.decodeRun(replica, begin, whole, sequences, first, run.growthTicks)
  if (dropped > 0 && sequences > dropped) {
    const at = toSeconds(run.boundary(upTo - 1, state.at))
    observer.decodeRun(replica, at, 1, sequences - dropped, run.firstTicks + run.growthTicks * (upTo - 1), 0)
  }
  if (steps) {
    const end = toSeconds(run.boundary(upTo, state.at))
    const context = run.contextTokens + run.sequences * from
    observer.stepped(replica, begin, end, upTo - from, run.sequences, run.prefillTokens, context, run.sequences)
  }
  run.reported = upTo
}

/** Tokens of the request that have been delivered by `now`. */
export const emittedBy = (state: VllmState, slot: number, now: Time): number => {
  const table = state.table
  const phase = table.phase[slot]!
  if (phase !== PHASE.decode && phase !== PHASE.leaving) return table.emitted[slot]!
  const ended = stepsEndedBy(state, now)
  const joined = table.joinStep[slot]!
  return ended <= joined
    ? table.emitted[slot]!
    : Math.min(table.outputTokens[slot]!, state.group.emittedAt(slot, ended))
}
