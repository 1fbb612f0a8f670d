import { type Time, toSeconds } from '@windtunnel/des'
import { NO_SLOT, PHASE } from '../../requests.ts'
import { LONGEST_PREFIX_QUEUE, longestPrefixFirst } from './longestPrefix.ts'
import { FORECAST_CLIP_TOKENS } from './prefillBudget.ts'
import { knownTokens, limitOf } from './requestTokens.ts'
import type { SglangRun } from './sglangRun.ts'
import type { SglangState } from './sglangState.ts'

/** Fills a prefill batch; false when there is none. */
export const formPrefill = (state: SglangState, run: SglangRun, now: Time): boolean => {
  const chunked = state.chunked
  if (chunked === NO_SLOT && (state.full || state.waiting.length === 0)) return false
  const options = state.options
  const mostRequests = options.maxSequences - state.running + (chunked === NO_SLOT ? 0 : 1)
  if (mostRequests <= 0 && chunked === NO_SLOT) {
    state.full = true
    return false
  }
  const mixed = options.mixedChunk ? state.group.sequences : 0
  const mixedPages = mixed > 0 ? state.group.blocksNeededNow() : 0
  if (mixedPages > state.kv.roomPages) return false
  const forecast = state.members.remaining(state.flying, state.produced) * state.ratio.value
  const promised = Math.max(mixed, mixedPages * options.blockSize) + forecast
  state.budget.begin(promised, options.maxPrefillTokens, options.chunkedPrefillTokens, mixed)
  let pages = 0
  if (chunked !== NO_SLOT) {
    const more = continueChunked(state, chunked, run, mixedPages)
    if (more === undefined) return false
    pages += more
  }
  pages += admit(state, run, mostRequests, now)
  if (run.chunkCount === 0) return false
  state.kv.take(pages)
  return true
}

/** The next chunk of the prompt that was cut; its new pages, or undefined when nothing of it fits. */
export const continueChunked = (
  state: SglangState,
  slot: number,
  run: SglangRun,
  mixedPages: number,
): number | undefined => {
  const { kv } = state
  const page = kv.pageTokens
  const computed = state.table.computed[slot]!
  const rest = knownTokens(state, slot) - computed
  const held = kv.pagesFor(computed)
  const fit = (kv.roomPages - mixedPages + held) * page - computed
  const tokens = Math.min(state.budget.nextChunk(rest, kv.roomPages * page), fit)
  if (tokens <= 0) return undefined
  const cut = tokens < rest
  schedule(state, slot, run, tokens, computed, !cut)
  state.budget.charge(tokens, cut ? 0 : Math.min(limitOf(state, slot), FORECAST_CLIP_TOKENS))
  if (!cut) state.chunked = NO_SLOT
  const pages = kv.pagesFor(computed + tokens) - held
  state.table.privateBlocks[slot]! += pages
  return pages
}

/** Takes waiting requests into the batch in order until one does not fit; returns the pages they need. */
export const admit = (state: SglangState, run: SglangRun, mostRequests: number, now: Time): number => {
  const { kv } = state
  const waiting = state.waiting
  const sorted = orderOfRound(state)
  let pages = 0
  for (let i = 0; waiting.length > 0 && !state.full; i++) {
    if (run.chunkCount >= mostRequests) {
      state.full = true
      break
    }
    const slot = sorted === undefined ? waiting.head() : sorted[i]!
    const hit = kv.match(slot, knownTokens(state, slot))
    const tokens = shareOf(state, slot, hit, run)
    if (tokens === undefined) break
    waiting.remove(slot)
    pages += admitOne(state, slot, hit, tokens, run, now)
    const verdict = state.budget.verdict(kv.roomPages * kv.pageTokens)
    if (verdict === 'full') state.full = true
    if (verdict !== 'more') break
  }
  return pages
}

/** Waiting requests in the order of this round; undefined when it is that of the queue. */
export const orderOfRound = (state: SglangState): readonly number[] | undefined => {
  const { policy, prefixCache } = state.options
  const waiting = state.waiting
  if (policy !== 'lpm' || !prefixCache || state.scheduler.rank !== undefined) return undefined
  if (waiting.length > LONGEST_PREFIX_QUEUE) return undefined
  return longestPrefixFirst(waiting.head(), state.table, state.context.tree, state.kv, state.order)
}

/** Prompt tokens that the candidate gets now; undefined when the batch ends before it. */
export const shareOf = (state: SglangState, slot: number, hit: number, run: SglangRun): number | undefined => {
  const { kv } = state
  const page = kv.pageTokens
  const extend = knownTokens(state, slot) - hit * page
  const newTokens = Math.max(0, Math.min(limitOf(state, slot) - state.table.emitted[slot]!, FORECAST_CLIP_TOKENS))
  const room = (kv.roomPages - kv.evictableAmong(slot, hit)) * page
  if (extend + newTokens + page >= state.budget.left(room)) {
    state.full = true
    return undefined
  }
  const tokens = state.budget.share(extend, run.chunkCount === 0)
  return tokens !== undefined && tokens < extend && state.chunked !== NO_SLOT ? undefined : tokens
}

export const admitOne = (
  state: SglangState,
  slot: number,
  hit: number,
  tokens: number,
  run: SglangRun,
  now: Time,
): number => {
  const table = state.table
  const { kv } = state
  const context = hit * kv.pageTokens
  const known = knownTokens(state, slot)
  const cut = context + tokens < known
  table.phase[slot] = PHASE.prefill
  state.running += 1
  kv.takeMatched(slot, hit)
  const pages = kv.pagesFor(context + tokens) - hit
  table.privateBlocks[slot]! += pages
  state.context.facts.observer.admitted(
    table.id[slot]!,
    toSeconds(now),
    state.context.replica,
    context,
    known,
    table.preemptions[slot]!,
  )
  schedule(state, slot, run, tokens, context, !cut)
  state.budget.charge(tokens, cut ? 0 : Math.min(limitOf(state, slot), FORECAST_CLIP_TOKENS))
  if (cut) state.chunked = slot
  return pages
}

export const schedule = (
  state: SglangState,
  slot: number,
  run: SglangRun,
  tokens: number,
  context: number,
  completes: boolean,
): void => {
  run.addChunk(slot, tokens, context, completes)
  state.table.computed[slot] = context + tokens
}
