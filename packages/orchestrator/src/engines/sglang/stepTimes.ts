import type { DecodePiece } from '@windtunnel/cost/step/stepCost'
import { copyTime, TICKS_PER_SECOND } from '@windtunnel/des'
import { NO_SLOT } from '../../requests.ts'
import { describeBatch } from '../describeBatch.ts'
import type { SglangRun } from './sglangRun.ts'
import type { SglangState } from './sglangState.ts'

/** Decides how many steps of this composition run, and how long they take. */
export const timeRun = (state: SglangState, run: SglangRun): void => {
  const group = state.group
  const cost = state.context.cost
  run.firstStep = group.step
  if (run.sequences > 0) planGaps(state, run)
  else state.late.push(...state.fresh)
  if (run.chunkCount > 0) {
    run.firstTicks = Math.max(
      1,
      Math.round(
        cost.seconds(describeBatch(state.batch, run, run.sequences === 0 ? 0 : state.group.windowTokens)) *
          TICKS_PER_SECOND,
      ),
    )
    return
  }
  const piece = cost.decodePiece(run.sequences, run.contextTokens, state.piece)
  const valid = Math.floor((piece.validUntilContextTokens - run.contextTokens) / run.sequences) + 1
  const even = group.window === undefined ? valid : Math.min(valid, group.window.evenSteps(group.step))
  setDecodeTicks(state, run, piece)
  if (run.ghosts > 0 || run.irregular.length > 0 || state.chunked !== NO_SLOT) return
  if (state.waiting.length > 0 && !state.full) return
  const finish = group.calendar.next(group.step)!
  const steps = Math.max(1, Math.min(finish - group.step + 1, even))
  run.steps = steps === 1 ? 1 : Math.max(1, group.stepsThatFit(state.kv.roomPages, steps))
  run.limitLength()
}

/** Ticks of a pure decode step, and how they grow while every sequence gains a token a step. */
export const setDecodeTicks = (state: SglangState, run: SglangRun, piece: DecodePiece): void => {
  const { window, windowTokens } = state.group
  const base = Math.round(piece.baseSeconds * TICKS_PER_SECOND)
  const slope = Math.round(piece.slopeSeconds * TICKS_PER_SECOND)
  const windowSlope = Math.round(piece.windowSlopeSeconds * TICKS_PER_SECOND)
  run.firstTicks = Math.max(1, base + slope * run.contextTokens + windowSlope * windowTokens)
  run.growthTicks = slope * run.sequences + windowSlope * (window === undefined ? run.sequences : window.growing)
}

/** Which gaps the first step of a run with decodes closes: its own length, longer by prefill batches before it, or told by name. */
export const planGaps = (state: SglangState, run: SglangRun): void => {
  const current = state.current
  run.contextTokens = state.group.contextTokens
  run.ghosts = state.lag === 1 ? countGhosts(state) : 0
  run.irregular.push(...state.late)
  state.late.length = 0
  run.stretched = run.sequences - run.irregular.length - state.fresh.length
  if (run.stretched === 0 || (current !== undefined && current.sequences > 0)) return
  copyTime(run.stretchStart, state.decodeEnd)
  run.stretchTicks = -run.ticksUntil(state.decodeEnd)
}

/** Running requests whose last token is in flight without the scheduler knowing. */
export const countGhosts = (state: SglangState): number => {
  const table = state.table
  const group = state.group
  const current = state.current
  let ghosts = 0
  if (current !== undefined && current.sequences > 0) {
    for (let slot = group.calendar.at(group.step - 1); slot !== NO_SLOT; slot = table.finishNext[slot]!) ghosts += 1
  }
  if (current === undefined) return ghosts
  for (const slot of state.fresh) if (table.emitted[slot]! + 1 === table.outputTokens[slot]) ghosts += 1
  return ghosts
}
