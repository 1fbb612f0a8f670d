import type { RequestTable } from '../../requests.ts'
import { FinishCalendar } from '../finishCalendar.ts'

/**
 * The occupied slots of one generate engine as running sums, at the next step to be composed. A request inserted before step
 * s with c tokens attends to c + 1 entries in step s. Occupied is what the generate thread thinks: a slot whose request has
 * ended counts until it is given back.
 */
export class SlotGroup {
  /** Requests by the step that makes their last token, until that step has been detokenised. */
  readonly calendar: FinishCalendar
  step = 0
  sequences = 0
  contextTokens = 0
  #table: RequestTable

  constructor(table: RequestTable) {
    this.#table = table
    this.calendar = new FinishCalendar(table)
  }

  /** `slot` decodes `steps` steps from the next one on; steps before `earliestStep` are no longer on file. */
  join(slot: number, tokens: number, steps: number, earliestStep: number): void {
    this.#table.joinStep[slot] = this.step
    this.#table.joinComputed[slot] = tokens
    this.sequences += 1
    this.contextTokens += tokens + 1
    this.calendar.add(slot, this.step + steps - 1, earliestStep)
  }

  /** The slot is given back. */
  leave(slot: number): void {
    this.sequences -= 1
    this.contextTokens -= this.#table.joinComputed[slot]! + 1 + this.step - this.#table.joinStep[slot]!
  }

  advance(steps: number): void {
    this.step += steps
    this.contextTokens += steps * this.sequences
  }
}
