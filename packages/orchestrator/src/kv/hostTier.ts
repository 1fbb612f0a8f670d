import { type CachedRuns, HOST_QUEUED, HOSTED } from './cachedRuns.ts'
import { FreeQueue } from './freeQueue.ts'

const NONE = -1

/**
 * Text that was evicted from the device and is kept on the host, least recently evicted first to go. A block is either here or
 * on the device, and eviction takes the deepest blocks of a run first, so that of each run the blocks [cached, cached + hosted)
 * are here: one number a run, and one entry in the order for each eviction.
 */
export class HostTier {
  private readonly runs: CachedRuns
  private readonly capacityBlocks: number
  private readonly order = new FreeQueue(0)

  constructor(runs: CachedRuns, capacityBlocks: number) {
    this.runs = runs
    this.capacityBlocks = capacityBlocks
  }

  /** The last `blocks` cached blocks of `row` were evicted; the caller closes the row when it is idle. */
  keep(row: number, blocks: number): void {
    const runs = this.runs
    const order = this.order
    runs.cells[row + HOSTED]! += blocks
    runs.cells[row + HOST_QUEUED] = order.push(row, blocks, runs.cells[row + HOST_QUEUED]!)
    for (let excess = order.blocks - this.capacityBlocks; excess > 0; ) {
      const owner = order.headOwner
      const dropped = order.takeFromHead(excess)
      excess -= dropped
      runs.cells[owner + HOSTED]! -= dropped
      if (runs.cells[owner + HOSTED]! > 0) continue
      runs.cells[owner + HOST_QUEUED] = NONE
      if (owner !== row) runs.closeIfIdle(owner)
    }
  }

  /** The first `blocks` blocks of the row that are here go (back) to the device. */
  remove(row: number, blocks: number): void {
    const runs = this.runs
    runs.cells[row + HOSTED]! -= blocks
    runs.cells[row + HOST_QUEUED] = this.order.withdraw(blocks, runs.cells[row + HOST_QUEUED]!)
  }
}
