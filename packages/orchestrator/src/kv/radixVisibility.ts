import { addTicks, compareTime, copyTime, type Time, ticksFromSeconds } from '@windtunnel/des'
import { emptied } from '../emptied.ts'
import type { RadixRuns } from './radixRuns.ts'

/**
 * Which pages of a radix tree routers may see: those of the step in flight are veiled until it has ended (`visible`), and with a
 * delay of the events they are seen later still (`seen` follows `visible`).
 */
export class RadixVisibility {
  private readonly runs: RadixRuns
  /** Runs with pages of the step in flight. */
  private readonly veiled: number[] = []
  private delayTicks = 0
  /** Events under way, in order: row, pages, and when they are seen. */
  private events: { row: number; pages: number; due: Time }[] = []
  private readonly now: Time = { seconds: 0, ticks: 0 }

  constructor(runs: RadixRuns) {
    this.runs = runs
  }

  /** Whether all that is in the tree can be seen. */
  get isClear(): boolean {
    return this.veiled.length === 0 && this.delayTicks === 0
  }

  setNow(now: Time): void {
    copyTime(this.now, now)
  }

  /** The pages of the row went from `before` to what they are now. */
  grown(row: number, before: number, inFlight: boolean): void {
    if (inFlight) this.veiled.push(row)
    else if (this.runs.visible[row] === before) this.show(row)
  }

  /** The step in flight has ended. */
  land(): void {
    for (const row of this.veiled) this.show(row)
    emptied(this.veiled)
  }

  /** The row is evicted: gone for all at once. */
  closed(row: number): void {
    for (const event of this.events) if (event.row === row) event.pages = 0
  }

  /** From now on pages are seen so many seconds (below 500) after they became visible. */
  setDelay(seconds: number): void {
    const ticks = ticksFromSeconds(seconds)
    if (this.delayTicks === 0) this.runs.seen.set(this.runs.visible)
    this.delayTicks = ticks
    if (ticks === 0) emptied(this.events)
  }

  /** The column of leading pages that are seen at `now`. */
  seenAt(now: Time): Int32Array {
    const { seen, visible } = this.runs
    if (this.delayTicks === 0) return visible
    const events = this.events
    let done = 0
    for (; done < events.length && compareTime(events[done]!.due, now) <= 0; done++) {
      const { row, pages } = events[done]!
      if (pages > seen[row]!) seen[row] = pages
    }
    if (done > 0) events.splice(0, done)
    return seen
  }

  private show(row: number): void {
    const runs = this.runs
    const pages = runs.pages[row]!
    runs.visible[row] = pages
    if (this.delayTicks === 0) return
    const due = copyTime({ seconds: 0, ticks: 0 }, this.now)
    addTicks(due, this.delayTicks)
    this.events.push({ row, pages, due })
  }
}
