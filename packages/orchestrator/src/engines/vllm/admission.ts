import { type Time, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import type { StepRun } from '../stepRun.ts'
import { swapIn } from './hostSwap.ts'
import { canPromise, promise } from './promises.ts'
import type { BatchWait } from './vllmOptions.ts'
import type { VllmState } from './vllmState.ts'

/**
 * Whether prompts, of which the first could come in, wait for company beside running requests: until the tokens of the step,
 * each waiting prompt taken to be as long as the first, reach their share of the budget, or for so many steps.
 */
export const holdsBack = (state: VllmState, { steps, tokenShare }: BatchWait): boolean => {
  const slot = state.waiting.head()
  if (slot !== NO_SLOT && state.group.sequences > 0 && state.heldSteps < steps) {
    const each = state.table.inputTokens[slot]! + state.table.emitted[slot]!
    const tokens = state.group.sequences + state.waiting.length * each
    if (tokens < tokenShare * state.options.maxBatchedTokens) {
      state.heldSteps += 1
      return true
    }
  }
  state.heldSteps = 0
  return false
}

/** Schedules the next chunk of a prompt in progress; its tokens, or undefined when it lacks blocks. */
export const continuePrefill = (state: VllmState, slot: number, run: StepRun, budget: number): number | undefined => {
  const table = state.table
  const computed = table.computed[slot]!
  const known = table.inputTokens[slot]! + table.emitted[slot]!
  const tokens = Math.min(known - computed, state.chunkLimit, budget)
  if (tokens <= 0) return 0
  const blocks = state.reserve === 'prompt' ? 0 : state.kv.blocksFor(computed + tokens) - state.kv.blocksFor(computed)
  if (blocks > state.kv.freeBlocks - state.group.blocksNeededNow()) return undefined
  if (blocks > 0) state.kv.allocate(slot, blocks)
  schedulePrefill(state, slot, run, tokens, computed, known)
  if (computed + tokens === known) state.prefilling.splice(state.prefilling.indexOf(slot), 1)
  return tokens
}

/** Admits waiting requests in order until one does not fit. */
export const admit = (state: VllmState, run: StepRun, budgetLeft: number, now: Time): void => {
  const options = state.options
  const table = state.table
  let budget = budgetLeft
  let first = options.batchWait !== undefined
  while (state.waiting.length > 0) {
    if (state.running >= options.maxSequences || budget <= 0) {
      state.blocked = run.chunkCount === 0 || state.running >= options.maxSequences
      return
    }
    const slot = state.waiting.head()
    const known = table.inputTokens[slot]! + table.emitted[slot]!
    if (state.promises && !canPromise(state, slot, watermark(state))) {
      state.blocked = true
      return
    }
    if (table.hostBlocks[slot]! > 0) {
      if (!fits(state, slot, 0, known)) {
        state.blocked = true
        return
      }
      swapIn(state, slot, run, known, now)
      budget -= 1
      continue
    }
    const hit = state.kv.match(slot, known)
    const loaded = state.kv.hostMatch(slot, known, hit)
    const cached = (hit + loaded) * options.blockSize
    const wanted = Math.min(known - cached, state.chunkLimit)
    if (!options.chunkedPrefill && wanted > budget) {
      if (state.running > 0) return
      state.waiting.remove(slot)
      state.context.failed(
        slot,
        now,
        `${wanted} tokens exceed the ${budget} of one step, and prompts are computed whole`,
      )
      continue
    }
    const tokens = Math.min(wanted, budget)
    const whole = options.reserveFullPrompt || state.reserve === 'prompt'
    if (!fits(state, slot, hit, whole ? known : cached + tokens)) {
      // A chunk that starts after a hit can come to fit when decoding evicts the hit: then it starts earlier and ends earlier.
      state.blocked = whole || (hit === 0 && loaded === 0)
      return
    }
    if (first && holdsBack(state, options.batchWait!)) return
    first = false
    promise(state, slot)
    state.waiting.remove(slot)
    state.waiting.admitted?.(slot)
    state.list.append(slot)
    state.running += 1
    table.phase[slot] = PHASE.prefill
    if (cached + tokens < known) state.prefilling.push(slot)
    if (hit > 0) state.kv.takeMatched(slot, hit)
    if (loaded > 0) {
      state.kv.load(slot, hit, loaded)
      state.loaded += loaded
    }
    state.kv.allocate(slot, state.kv.blocksFor(state.reserve === 'prompt' ? known : cached + tokens) - hit - loaded)
    state.facts.observer.admitted(
      table.id[slot]!,
      toSeconds(now),
      state.context.replica,
      cached,
      known,
      table.preemptions[slot]!,
    )
    schedulePrefill(state, slot, run, tokens, cached, known)
    budget -= tokens
  }
}

/** Whether `tokens` tokens of the request fit, `hit` of its blocks being cached, with the watermark left over. */
export const fits = (state: VllmState, slot: number, hit: number, tokens: number): boolean => {
  const kv = state.kv
  const needed = kv.blocksFor(tokens) - hit + (hit > 0 ? kv.freeAmong(slot, hit) : 0)
  return needed + watermark(state) <= kv.freeBlocks - (state.group.blocksNeededNow() - state.taken)
}

/** Blocks that an admission leaves free. */
export const watermark = (state: VllmState): number => {
  return state.running > 0 ? state.watermarkBlocks : 0
}

export const schedulePrefill = (
  state: VllmState,
  slot: number,
  run: StepRun,
  tokens: number,
  context: number,
  known: number,
): void => {
  const chunk = run.nextChunk()
  chunk.slot = slot
  chunk.tokens = tokens
  chunk.context = context
  chunk.completes = context + tokens === known
  run.prefillTokens += tokens
  state.table.computed[slot] = context + tokens
  state.kv.commit(slot, context + tokens, 'step')
}
