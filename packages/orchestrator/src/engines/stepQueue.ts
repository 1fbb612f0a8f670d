import { copyTime, type Time } from '@windtunnel/des'
import { ORDER } from './engine.ts'
import type { StepRun } from './stepRun.ts'

/**
 * The steps of an engine that have been composed and have not ended: at most one that runs and, where steps are composed one
 * ahead, the one after it. The engine's state extends it.
 */
export class StepQueue<Run extends StepRun> {
  /** 1 where a step is composed when the one before it begins (async scheduling, overlap), 0 where it is when that has ended. */
  readonly lag: 0 | 1
  /** `current` runs; `next` (with a lag only) begins when it ends. */
  current: Run | undefined
  next: Run | undefined
  /** Runs to be filled anew. */
  readonly spare: Run[]
  /** Composed last, and not all of its steps are accounted: so far `settled` are. */
  lastComposed: Run | undefined
  settled = 0
  /** A composition is due at `dueAt` although nothing runs. */
  due = false
  readonly dueAt: Time = { seconds: 0, ticks: 0 }
  /** In the last step of `current`, composing `next` has been tried. */
  attempted = false
  stepsDone = 0

  constructor(ahead: boolean, emptyRun: () => Run) {
    this.lag = ahead ? 1 : 0
    this.spare = [emptyRun(), emptyRun(), emptyRun()]
  }

  /** Whether a composition comes before the end of the run in progress. */
  get composesEarly(): boolean {
    return this.lag === 1 && this.next === undefined && !this.attempted
  }

  /** Writes the time of the next event; returns its place in ORDER, or undefined when nothing is to happen. */
  nextEvent(into: Time): number | undefined {
    const { current } = this
    if (current === undefined) {
      if (!this.due) return undefined
      copyTime(into, this.dueAt)
      return ORDER.compose
    }
    if (this.composesEarly) {
      current.boundary(current.steps - 1, into)
      return ORDER.compose
    }
    current.boundary(current.steps, into)
    return ORDER.stepEnd
  }

  /** Something new is here at `now`: the run in progress ends at the next boundary at which it can be taken up. */
  wake(now: Time): void {
    const { current } = this
    if (current === undefined) {
      if (this.due) return
      this.due = true
      copyTime(this.dueAt, now)
      return
    }
    if (this.next !== undefined || this.attempted) return
    const boundary = current.firstBoundaryFrom(now) + this.lag
    current.steps = Math.min(current.steps, Math.max(1, boundary))
  }

  /** How many steps of the run composed last, to be accounted still, have been composed before `now`; 0 when there is none. */
  composedBy(now: Time): number {
    const run = this.lastComposed
    return run === undefined ? 0 : Math.min(run.steps, Math.max(1, run.firstBoundaryFrom(now) + this.lag))
  }

  /** Steps composed from now on cost another price: the run in progress ends at its next boundary. */
  cut(now: Time): void {
    if (this.next !== undefined) this.next.steps = 1
    else if (this.current !== undefined) this.wake(now)
  }
}
