import { NO_SLOT, type RequestTable } from '../../requests.ts'
import type { DecodeGroup } from '../decodeGroup.ts'
import { RunningList } from '../runningList.ts'
import { FORECAST_CLIP_TOKENS } from './prefillBudget.ts'

/**
 * The running requests of a replica, in the order in which they began to decode, with sums from which the tokens that they
 * may still produce follow in O(1) at any step (as long as no limit is beyond the clip).
 */
export class RunningForecast {
  readonly list: RunningList
  readonly #table: RequestTable
  readonly #group: DecodeGroup
  /** Token limit of a request as the forecast knows it. */
  readonly #limitOf: (slot: number) => number
  #limits = 0
  /** Sum of (tokens out before its first decode step - that step): tokens out follow by adding the step once a member. */
  #origin = 0
  #long = 0

  constructor(table: RequestTable, group: DecodeGroup, limitOf: (slot: number) => number) {
    this.#table = table
    this.#group = group
    this.#limitOf = limitOf
    this.list = new RunningList(table)
  }

  /** `slot` has joined the decode group. */
  add(slot: number): void {
    this.list.append(slot)
    this.#count(slot, 1)
  }

  remove(slot: number): void {
    this.list.remove(slot)
    this.#count(slot, -1)
  }

  /** Sum of the members' limits. */
  get limits(): number {
    return this.#limits
  }

  /** Tokens the members have put out before step `group.step`, those in flight included. */
  get scheduled(): number {
    return this.#origin + this.#group.sequences * this.#group.step
  }

  /** Tokens the members may still produce, each cut at the clip; `flying` of them have a token in flight, which does not count as produced. */
  remaining(flying: number, produced: (slot: number) => number): number {
    if (this.#long === 0) return this.#limits - this.scheduled + flying
    let sum = 0
    for (let slot = this.list.first; slot !== NO_SLOT; slot = this.#table.runNext[slot]!)
      sum += Math.min(this.#limitOf(slot) - produced(slot), FORECAST_CLIP_TOKENS)
    return sum
  }

  /** The member with the fewest tokens out, then the longest prompt, then the latest to join. */
  victim(produced: (slot: number) => number): number {
    const table = this.#table
    let worst = this.list.first
    let fewest = produced(worst)
    for (let slot = table.runNext[worst]!; slot !== NO_SLOT; slot = table.runNext[slot]!) {
      const out = produced(slot)
      if (out > fewest || (out === fewest && table.inputTokens[slot]! < table.inputTokens[worst]!)) continue
      worst = slot
      fewest = out
    }
    return worst
  }

  #count(slot: number, sign: 1 | -1): void {
    const limit = this.#limitOf(slot)
    this.#limits += sign * limit
    this.#origin += sign * (this.#table.joinEmitted[slot]! - this.#table.joinStep[slot]!)
    if (limit > FORECAST_CLIP_TOKENS) this.#long += sign
  }
}
