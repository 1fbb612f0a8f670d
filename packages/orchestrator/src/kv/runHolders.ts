import { NO_SLOT, type RequestTable } from '../requests.ts'
import { BLOCKS, CACHED, type CachedRuns, FULL, HELD, PARENT, PARTIAL, QUEUED } from './cachedRuns.ts'
import type { FreeQueue } from './freeQueue.ts'

const NONE = -1

/**
 * Which requests hold how much of which run. A request holds its path down to one run: all of that one (a count) or its first
 * blocks (a link of a list through the request table); a run with holders holds its parent. What nobody holds is in the free
 * queue, and leaves it when somebody takes hold.
 */
export class RunHolders {
  private readonly runs: CachedRuns
  private readonly queue: FreeQueue
  private readonly table: RequestTable

  constructor(runs: CachedRuns, queue: FreeQueue, table: RequestTable) {
    this.runs = runs
    this.queue = queue
    this.table = table
  }

  /** Turns the request's hold on `row` into a pin that keeps the row active while the hold moves deeper. */
  pin(slot: number, row: number): void {
    if (this.table.holdBlocks[slot]! < this.runs.cells[row + BLOCKS]!) {
      this.unlinkPartial(slot, row)
      this.runs.cells[row + FULL]! += 1
    }
  }

  /** The request holds its path down to the first `depth` blocks of `row`. */
  add(slot: number, row: number, depth: number): void {
    const runs = this.runs
    let wasActive = this.isActive(row)
    if (depth === runs.cells[row + BLOCKS]) runs.cells[row + FULL]! += 1
    else this.linkPartial(slot, row)
    this.table.holdRow[slot] = row
    this.table.holdBlocks[slot] = depth
    this.raise(row, depth)
    for (let at = runs.cells[row + PARENT]!; !wasActive && at !== NONE; at = runs.cells[at + PARENT]!) {
      wasActive = this.isActive(at)
      runs.cells[at + FULL]! += 1
      this.raise(at, runs.cells[at + BLOCKS]!)
    }
  }

  /** It holds nothing any more. */
  drop(slot: number): void {
    const runs = this.runs
    const row = this.table.holdRow[slot]!
    if (this.table.holdBlocks[slot] === runs.cells[row + BLOCKS]) runs.cells[row + FULL]! -= 1
    else this.unlinkPartial(slot, row)
    this.lower(row)
    let child = row
    for (let at = runs.cells[row + PARENT]!; at !== NONE && !this.isActive(child); at = runs.cells[at + PARENT]!) {
      runs.cells[at + FULL]! -= 1
      this.lower(at)
      child = at
    }
  }

  private isActive(row: number): boolean {
    return this.runs.cells[row + FULL]! > 0 || this.runs.cells[row + PARTIAL]! !== NO_SLOT
  }

  /** The first `depth` blocks of the row are held now: those that were free leave the queue. */
  private raise(row: number, depth: number): void {
    const runs = this.runs
    const held = runs.cells[row + HELD]!
    if (depth <= held) return
    const queued = Math.min(depth, runs.cells[row + CACHED]!) - held
    if (queued > 0) runs.cells[row + QUEUED] = this.queue.withdraw(queued, runs.cells[row + QUEUED]!)
    runs.cells[row + HELD] = depth
  }

  /** Frees what no holder of the row needs any more. */
  private lower(row: number): void {
    const runs = this.runs
    const held = runs.cells[row + FULL]! > 0 ? runs.cells[row + BLOCKS]! : this.deepestPartial(row)
    const freed = runs.cells[row + HELD]! - held
    if (freed <= 0) return
    runs.cells[row + QUEUED] = this.queue.push(row, freed, runs.cells[row + QUEUED]!)
    runs.cells[row + HELD] = held
  }

  private deepestPartial(row: number): number {
    const table = this.table
    let deepest = 0
    for (let slot = this.runs.cells[row + PARTIAL]!; slot !== NO_SLOT; slot = table.holdNext[slot]!) {
      if (table.holdBlocks[slot]! > deepest) deepest = table.holdBlocks[slot]!
    }
    return deepest
  }

  private linkPartial(slot: number, row: number): void {
    const table = this.table
    const first = this.runs.cells[row + PARTIAL]!
    table.holdNext[slot] = first
    table.holdPrevious[slot] = NO_SLOT
    if (first !== NO_SLOT) table.holdPrevious[first] = slot
    this.runs.cells[row + PARTIAL] = slot
  }

  private unlinkPartial(slot: number, row: number): void {
    const table = this.table
    const next = table.holdNext[slot]!
    const previous = table.holdPrevious[slot]!
    if (previous === NO_SLOT) this.runs.cells[row + PARTIAL] = next
    else table.holdNext[previous] = next
    if (next !== NO_SLOT) table.holdPrevious[next] = previous
  }
}
