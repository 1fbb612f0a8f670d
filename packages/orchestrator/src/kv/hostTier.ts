import type { CachedRuns } from './cachedRuns.ts'
import { FreeQueue } from './freeQueue.ts'

const NONE = -1

/**
 * Text that was evicted from the device and is kept on the host, least recently evicted first to go. A block is either here or
 * on the device, and eviction takes the deepest blocks of a run first, so that of each run the blocks [cached, cached + hosted)
 * are here: one number a run, and one entry in the order for each eviction.
 */
export class HostTier {
  readonly #runs: CachedRuns
  readonly #capacityBlocks: number
  readonly #order = new FreeQueue(0)

  constructor(runs: CachedRuns, capacityBlocks: number) {
    this.#runs = runs
    this.#capacityBlocks = capacityBlocks
  }

  /** The last `blocks` cached blocks of `row` were evicted; the caller closes the row when it is idle. */
  keep(row: number, blocks: number): void {
    const runs = this.#runs
    const order = this.#order
    runs.hosted[row]! += blocks
    runs.hostQueued[row] = order.push(row, blocks, runs.hostQueued[row]!)
    for (let excess = order.blocks - this.#capacityBlocks; excess > 0; ) {
      const owner = order.owner[order.head]!
      const dropped = order.takeFromHead(excess)
      excess -= dropped
      runs.hosted[owner]! -= dropped
      if (runs.hosted[owner]! > 0) continue
      runs.hostQueued[owner] = NONE
      if (owner !== row) runs.closeIfIdle(owner)
    }
  }

  /** The first `blocks` blocks of the row that are here go (back) to the device. */
  remove(row: number, blocks: number): void {
    const runs = this.#runs
    runs.hosted[row]! -= blocks
    runs.hostQueued[row] = this.#order.withdraw(blocks, runs.hostQueued[row]!)
  }
}
