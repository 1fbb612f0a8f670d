import { NO_SLOT, type RequestTable } from '../requests.ts'

/** The running requests of a replica in order of admission, as a linked list through the table. */
export class RunningList {
  first = NO_SLOT
  last = NO_SLOT
  private table: RequestTable

  constructor(table: RequestTable) {
    this.table = table
  }

  append(slot: number): void {
    const table = this.table
    table.runPrevious[slot] = this.last
    table.runNext[slot] = NO_SLOT
    if (this.last === NO_SLOT) this.first = slot
    else table.runNext[this.last] = slot
    this.last = slot
  }

  remove(slot: number): void {
    const table = this.table
    const next = table.runNext[slot]!
    const previous = table.runPrevious[slot]!
    if (previous === NO_SLOT) this.first = next
    else table.runNext[previous] = next
    if (next === NO_SLOT) this.last = previous
    else table.runPrevious[next] = previous
  }
}
