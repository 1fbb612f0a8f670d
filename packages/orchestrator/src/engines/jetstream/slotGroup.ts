import type { RequestTable } from '../../requests.ts'
import { FinishCalendar } from '../finishCalendar.ts'
import { WindowSum } from '../windowSum.ts'

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
  /** The context sum with every slot cut at the attention window, for models that have one. */
  readonly window: WindowSum | undefined
  #table: RequestTable

  constructor(table: RequestTable, windowTokens?: number) {
    this.#table = table
    if (windowTokens !== undefined) this.window = new WindowSum(windowTokens)
    this.calendar = new FinishCalendar(table)
  }

  /** `slot` decodes `steps` steps from the next one on; steps before `earliestStep` are no longer on file. */
  join(slot: number, tokens: number, steps: number, earliestStep: number): void {
    this.#table.joinStep[slot] = this.step
    this.#table.joinComputed[slot] = tokens
    this.sequences += 1
    this.contextTokens += tokens + 1
    this.window?.join(tokens + 1, this.step)
    this.calendar.add(slot, this.step + steps - 1, earliestStep)
  }

  /** The slot is given back. */
  leave(slot: number): void {
    const context = this.#table.joinComputed[slot]! + 1 + this.step - this.#table.joinStep[slot]!
    this.sequences -= 1
    this.contextTokens -= context
    this.window?.leave(context, this.step)
  }

  advance(steps: number): void {
    this.window?.advance(this.step, steps)
    this.step += steps
    this.contextTokens += steps * this.sequences
  }
}
