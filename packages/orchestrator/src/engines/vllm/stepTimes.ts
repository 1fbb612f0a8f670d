import { TICKS_PER_SECOND } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { describeBatch } from '../describeBatch.ts'
import type { StepRun } from '../stepRun.ts'
import type { VllmState } from './vllmState.ts'

/** Decides how many steps of this composition run, and how long they take. */
export const timeRun = (state: VllmState, run: StepRun, preempted: boolean): void => {
  const group = state.group
  run.firstStep = group.step
  run.sequences = group.sequences
  run.ghosts = state.ghostly ? countGhosts(state) : 0
  run.contextTokens = group.contextTokens
  run.steps = 1
  run.growthTicks = 0
  if (run.chunkCount > 0) {
    run.firstTicks =
      Math.max(
        1,
        Math.round(state.context.cost.seconds(describeBatch(state.batch, run, group.windowTokens)) * TICKS_PER_SECOND),
      ) + copyTicks(state)
    return
  }
  const price = setDecodeTicks(state, run)
  const copying = copyTicks(state)
  run.firstTicks += copying
  const made = copying > 0 || state.kv.visibility.composing
  const single = made || run.ghosts > 0 || run.irregular.length > 0 || (preempted && state.waiting.length > 0)
  if (single || (state.waiting.length > 0 && !state.blocked)) return
  let most = group.calendar.next(group.step)! - group.step + 1
  const valid = state.prices.validUntil(price) - run.contextTokens
  if (valid < most * run.sequences) most = Math.floor(valid / run.sequences) + 1
  if (group.window !== undefined) most = Math.min(most, group.window.evenSteps(group.step))
  const steps = Math.max(1, most)
  const free = state.kv.freeBlocks + state.taken
  run.steps = steps === 1 || group.surelyFits(free, steps) ? steps : Math.max(1, group.stepsThatFit(free, steps))
  run.limitLength()
}

/** Ticks for what is copied to and from the host before the step being composed. */
export const copyTicks = (state: VllmState): number => {
  if (state.copied === 0 && state.loaded === 0) return 0
  const { swap, hostCache } = state.options
  const swapping = Math.round(state.copied * (swap?.secondsPerBlock ?? 0) * TICKS_PER_SECOND)
  const loading = Math.round(state.loaded * (hostCache?.secondsPerBlock ?? 0) * TICKS_PER_SECOND)
  state.copied = 0
  state.loaded = 0
  return swapping + loading
}

/** Ticks of a pure decode step, and how they grow while every sequence gains a token a step. Returns its price. */
const setDecodeTicks = (state: VllmState, run: StepRun): number => {
  const { prices, group } = state
  const price = prices.at(run.sequences, run.contextTokens)
  const slope = prices.slope(price)
  const ticks = prices.base(price) + slope * run.contextTokens
  const { window } = group
  if (window === undefined) {
    const both = slope + prices.windowSlope(price)
    run.firstTicks = Math.max(1, prices.base(price) + both * run.contextTokens)
    run.growthTicks = both * run.sequences
  } else {
    run.firstTicks = Math.max(1, ticks + prices.windowSlope(price) * window.tokens)
    run.growthTicks = slope * run.sequences + prices.windowSlope(price) * window.growing
  }
  return price
}

/** Sequences of the step being composed whose last token is in flight without the scheduler knowing. */
export const countGhosts = (state: VllmState): number => {
  const table = state.table
  const group = state.group
  let ghosts = 0
  for (let slot = group.calendar.at(group.step - 1); slot !== NO_SLOT; slot = table.finishNext[slot]!) {
    if (table.phase[slot] === PHASE.decode) ghosts += 1
  }
  const current = state.current
  for (let i = 0; current !== undefined && i < current.chunkCount; i++) {
    const { slot, completes } = current.chunks[i]!
    if (
      completes &&
      slot !== NO_SLOT &&
      table.phase[slot] === PHASE.decode &&
      table.emitted[slot]! + 1 === table.outputTokens[slot]
    ) {
      ghosts += 1
    }
  }
  return ghosts
}
