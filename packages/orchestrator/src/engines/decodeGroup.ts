import type { RequestTable } from '../requests.ts'
import { FinishCalendar } from './finishCalendar.ts'
import { WindowSum } from './windowSum.ts'

/**
 * The decoding sequences of one replica as running sums: how many, how much context, who finishes when, and how many need a
 * new KV block at each step. Advancing all of them by one token costs O(1) whatever their number.
 *
 * `step` is the next step to be composed; the sums are those of that step. A sequence that joins at step s with c computed
 * tokens attends to c + 1 entries in step s, c + 2 in s + 1, and needs a new block at every step t with (c + t - s) a
 * multiple of the block size.
 */
export class DecodeGroup {
  readonly calendar: FinishCalendar
  /** The windowed context sum, for models with sliding windows. */
  readonly window: WindowSum | undefined
  step = 0
  sequences = 0
  /** Sum over sequences of the KV entries attended to in step `step`. */
  contextTokens = 0
  private table: RequestTable
  private blockSize: number
  /** Sequences that need a new block at steps congruent to the index. */
  private needs: Int32Array
  /** `step` modulo the block size. */
  private phase = 0

  /** `windowTokens`: attention window of the model, undefined without one. */
  constructor(table: RequestTable, blockSize: number, windowTokens?: number) {
    this.table = table
    this.blockSize = blockSize
    this.needs = new Int32Array(blockSize)
    this.calendar = new FinishCalendar(table)
    if (windowTokens !== undefined) this.window = new WindowSum(windowTokens)
  }

  /** Sum of the KV entries attended to in step `step`, each sequence cut at the attention window; the context sum without one. */
  get windowTokens(): number {
    return this.window === undefined ? this.contextTokens : this.window.tokens
  }

  /** Computed tokens of a member before step `step`. */
  computedAt(slot: number, step: number): number {
    return (this.table.joinComputed[slot]! + (step - this.table.joinStep[slot]!)) | 0
  }

  /** Tokens a member has emitted when all steps before `step` have ended. */
  emittedAt(slot: number, step: number): number {
    return (this.table.joinEmitted[slot]! + (step - this.table.joinStep[slot]!)) | 0
  }

  /**
   * `slot` decodes from step `step` on; `emitted` tokens were or will be out before it, and `remaining` are to come (0: it ends
   * with the step in flight, which nobody foresees).
   */
  join(slot: number, computed: number, emitted: number, remaining: number): void {
    const table = this.table
    table.joinStep[slot] = this.step
    table.joinComputed[slot] = computed
    table.joinEmitted[slot] = emitted
    this.sequences += 1
    this.contextTokens += computed + 1
    this.window?.join(computed + 1, this.step)
    this.needs[this.residue(computed)]! += 1
    if (remaining > 0) this.calendar.add(slot, this.step + remaining - 1, Math.max(0, this.step - 2))
  }

  /** Takes `slot` out of the sums; it stays in the calendar until `calendar.remove`. */
  leaveSums(slot: number): void {
    const computed = this.computedAt(slot, this.step)
    this.sequences -= 1
    this.contextTokens -= computed + 1
    this.window?.leave(computed + 1, this.step)
    this.needs[this.residue(computed)]! -= 1
  }

  /** Blocks all members together need for step `step`. */
  blocksNeededNow(): number {
    return this.needs[this.phase]!
  }

  /** Blocks all members together need for the `steps` steps from `step` on. */
  blocksNeeded(steps: number): number {
    const size = this.blockSize
    const rounds = (steps / size) | 0
    return rounds * this.sequences + this.blocksOfPart(steps - rounds * size)
  }

  /** The same for fewer steps than a block has tokens. */
  private blocksOfPart(steps: number): number {
    const { needs, blockSize } = this
    let blocks = 0
    let at = this.phase
    for (let left = steps; left > 0; left--) {
      blocks += needs[at]!
      at += 1
      if (at === blockSize) at = 0
    }
    return blocks
  }

  /** Whether `free` blocks are enough for `steps` steps wherever in their blocks the members stand. */
  surelyFits(free: number, steps: number): boolean {
    const size = this.blockSize
    return this.sequences * (steps + size) <= free * size
  }

  /** The most steps (up to `limit`) whose blocks all fit into `free`. */
  stepsThatFit(free: number, limit: number): number {
    const size = this.blockSize
    if (this.sequences === 0 || this.surelyFits(free, limit)) return limit
    let steps = Math.min(Math.floor(free / this.sequences) * size, limit)
    let left = free - Math.floor(steps / size) * this.sequences
    if (steps % size !== 0) left = free - this.blocksNeeded(steps)
    for (let at = (this.phase + steps) % size; steps < limit; at = at + 1 === size ? 0 : at + 1) {
      left -= this.needs[at]!
      if (left < 0) break
      steps += 1
    }
    return steps
  }

  /** Moves all members on by one token. */
  advanceOne(): void {
    this.window?.advance(this.step, 1)
    this.step += 1
    this.phase = this.phase + 1 === this.blockSize ? 0 : this.phase + 1
    this.contextTokens += this.sequences
  }

  /** Moves all members on by `steps` tokens. */
  advance(steps: number): void {
    this.window?.advance(this.step, steps)
    this.step += steps
    this.phase = (this.phase + steps) % this.blockSize
    this.contextTokens += steps * this.sequences
  }

  /** Whether this member needs a new block for step `step`. */
  needsBlockNow(slot: number): boolean {
    return this.computedAt(slot, this.step) % this.blockSize === 0
  }

  /** Where a member with so many computed tokens before step `step` is counted in `needs`. */
  private residue(computed: number): number {
    const size = this.blockSize
    const residue = this.phase - (computed % size)
    return residue < 0 ? residue + size : residue
  }
}
