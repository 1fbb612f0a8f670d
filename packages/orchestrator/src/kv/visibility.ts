import { addTicks, compareTime, copyTime, type Time, ticksFromSeconds } from '@windtunnel/des'
import { emptied } from '../emptied.ts'
import { CACHED, type CachedRuns, SEEN, SOON, VISIBLE } from './cachedRuns.ts'

/** When text became cached: by the step being composed, by steps in flight, or by steps that have ended (or elsewhere). */
export type Origin = 'step' | 'flight' | 'past'

/**
 * Which cached blocks routers and other replicas may see: those whose step has ended. Two steps can be in flight, and
 * blocks of a run are made in order, so two marks a run are enough: `visible` <= `soon` <= `cached`, where [visible, soon)
 * is of the first step in flight and [soon, cached) of the second, or of the step being composed. With a delay of the
 * events, `seen` follows `visible` later.
 */
export class Visibility {
  private readonly runs: CachedRuns
  /** Rows that the step being composed, and each of the steps in flight, may have added to. */
  private composed: number[] = []
  private firstFlight: number[] = []
  private secondFlight: number[] = []
  private flights = 0
  /** Rows in the three lists: most steps make no blocks that others could see. */
  private rows = 0
  /** Composition has begun since the last step took off, so that its share is marked by `soon`. */
  private marked = false
  private delayTicks = 0
  /** Events under way, in order: row, blocks, and when they are seen. */
  private events: { row: number; blocks: number; due: Time }[] = []
  /** Time of the event in hand; kept where events are delayed. */
  private readonly now: Time = { seconds: 0, ticks: 0 }

  constructor(runs: CachedRuns) {
    this.runs = runs
  }

  /** Whether the step being composed has made blocks. */
  get composing(): boolean {
    return this.composed.length > 0
  }

  /** Composition begins at `now`. */
  begin(now: Time): void {
    this.marked = true
    if (this.delayTicks > 0) copyTime(this.now, now)
    if (this.rows === 0) return
    if (this.flights > 0) this.mark(this.flights === 1 ? this.firstFlight : this.secondFlight)
  }

  /** The composed step is on its way. */
  takeOff(): void {
    this.marked = false
    if (this.composed.length === 0) {
      this.flights += 1
      return
    }
    const free = this.flights === 0 ? this.firstFlight : this.secondFlight
    if (this.flights === 0) this.firstFlight = this.composed
    else this.secondFlight = this.composed
    this.composed = free
    this.flights += 1
  }

  /** The first step in flight has ended at `now`. */
  land(now: Time): void {
    this.flights -= 1
    if (this.delayTicks > 0) copyTime(this.now, now)
    if (this.rows === 0) return
    const rows = this.firstFlight
    this.firstFlight = this.secondFlight
    this.secondFlight = rows
    if (!this.marked && this.flights === 0) this.mark(rows)
    if (rows.length === 0) return
    for (const row of rows) this.show(row, this.runs.cells[row + SOON]!)
    this.rows -= rows.length
    emptied(rows)
  }

  /** What these rows cache now is of the step that ends next. */
  private mark(rows: readonly number[]): void {
    const { cells } = this.runs
    for (const row of rows) cells[row + SOON] = cells[row + CACHED]!
  }

  /** Text came from elsewhere at `now`. */
  setNow(now: Time): void {
    copyTime(this.now, now)
  }

  /** The cached blocks of the row went from `before` to what they are now. */
  grown(row: number, before: number, origin: Origin): void {
    const runs = this.runs
    if (origin === 'step') {
      if (this.composed.at(-1) === row) return
      this.composed.push(row)
      this.rows += 1
      return
    }
    if (runs.cells[row + SOON] !== before) return
    const shown = runs.cells[row + VISIBLE] === before
    runs.cells[row + SOON] = runs.cells[row + CACHED]!
    if (origin === 'flight' && this.flights > 0) {
      this.firstFlight.push(row)
      this.rows += 1
    } else if (shown) this.show(row, runs.cells[row + SOON]!)
  }

  /** Blocks of the row were evicted. */
  shrunk(row: number): void {
    const runs = this.runs
    const cached = runs.cells[row + CACHED]!
    if (runs.cells[row + SOON]! > cached) runs.cells[row + SOON] = cached
    if (runs.cells[row + VISIBLE]! > cached) runs.cells[row + VISIBLE] = cached
    if (this.delayTicks === 0) return
    if (runs.cells[row + SEEN]! > cached) runs.cells[row + SEEN] = cached
    for (const event of this.events) if (event.row === row && event.blocks > cached) event.blocks = cached
  }

  /** From now on blocks are seen so many seconds (below 500) after they became visible. */
  setDelay(seconds: number): void {
    const ticks = ticksFromSeconds(seconds)
    if (ticks === this.delayTicks) return
    if (this.delayTicks === 0)
      this.runs.forEachRow((cells, row) => {
        cells[row + SEEN] = cells[row + VISIBLE]!
      })
    this.delayTicks = ticks
    if (this.delayTicks === 0) this.events.length = 0
  }

  /** Which cell of a row says how many of its blocks are seen at `now`. */
  seenAt(now: Time): number {
    if (this.delayTicks === 0) return VISIBLE
    const events = this.events
    let done = 0
    for (; done < events.length && compareTime(events[done]!.due, now) <= 0; done++) {
      const { row, blocks } = events[done]!
      if (blocks > this.runs.cells[row + SEEN]!) this.runs.cells[row + SEEN] = blocks
    }
    if (done > 0) events.splice(0, done)
    return SEEN
  }

  private show(row: number, blocks: number): void {
    const runs = this.runs
    if (runs.cells[row + VISIBLE] === blocks) return
    runs.cells[row + VISIBLE] = blocks
    if (this.delayTicks === 0) return
    const due = copyTime({ seconds: 0, ticks: 0 }, this.now)
    addTicks(due, this.delayTicks)
    this.events.push({ row, blocks, due })
  }
}
