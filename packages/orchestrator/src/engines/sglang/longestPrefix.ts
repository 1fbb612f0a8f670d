import type { PromptTree } from '@windtunnel/workload'
import type { RadixMemory } from '../../kv/radixMemory.ts'
import { NO_SLOT, type RequestTable } from '../../requests.ts'

/** Waiting requests above which the queue's own order is taken. */
export const LONGEST_PREFIX_QUEUE = 128
/** A request with no more than this in the tree is compared with the other waiting ones ... */
const CHECK_TOKENS = 32
/** ... and goes to the end of this round when it shares at least this with one before it. */
const SHARED_TOKENS = 32

/**
 * SGLang's `lpm` order: longest match in the tree first, ties in the order of the queue. Of requests that share a prefix
 * which is not in the tree yet, only the first keeps its place, so that it can fill the tree for the others.
 */
export const longestPrefixFirst = (
  first: number,
  table: RequestTable,
  tree: PromptTree,
  kv: RadixMemory,
  into: number[],
): number[] => {
  const key = new Map<number, number>()
  const seen = new Set<number>()
  into.length = 0
  for (let slot = first; slot !== NO_SLOT; slot = table.queueNext[slot]!) {
    const known = table.inputTokens[slot]! + table.emitted[slot]!
    const matched = kv.match(slot, known) * kv.pageTokens
    into.push(slot)
    key.set(slot, -matched)
    if (matched > CHECK_TOKENS) continue
    const leaf = kv.leafOf(slot)
    let node = leaf
    while (node !== 0 && !seen.has(node)) node = tree.parentOf(node)
    if (Math.min(tree.depthOf(node), known) >= SHARED_TOKENS) key.set(slot, Number.POSITIVE_INFINITY)
    else for (let at = leaf; at !== node; at = tree.parentOf(at)) seen.add(at)
  }
  return into.sort((a, b) => compare(key.get(a)!, key.get(b)!))
}

const compare = (a: number, b: number): number => (a === b ? 0 : a < b ? -1 : 1)
