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
  /** Runs to be filled anew, linked by `nextSpare`. */
  private spare: Run | undefined = undefined
  /** Composed last, and not all of its steps are accounted: so far `settled` are. */
  lastComposed: Run | undefined
  settled = 0
  /** A composition is due at `dueAt` although nothing runs. */
  due = false
  readonly dueAt: Time = { seconds: 0, ticks: 0 }
  /** A composition comes before the end of the run in progress: when its last step begins. */
  composesEarly = false
  /** When the run in progress ends, once that composition has been tried: it cannot be cut any more. */
  readonly endsAt: Time = { seconds: 0, ticks: 0 }
  stepsDone = 0

  constructor(ahead: boolean, emptyRun: () => Run) {
    this.lag = ahead ? 1 : 0
    for (let i = 0; i < 3; i++) this.giveBack(emptyRun())
  }

  /** A run to be filled anew. */
  takeSpare(): Run {
    const run = this.spare!
    this.spare = run.nextSpare as Run | undefined
    return run
  }

  giveBack(run: Run): void {
    run.nextSpare = this.spare
    this.spare = run
  }

  /** `run` is in progress from now on; nothing when there is none. */
  begin(run: Run | undefined): void {
    this.current = run
    this.composesEarly = this.lag === 1 && run !== undefined
  }

  /** The last step of the run in progress begins, and with it the composition of the next one, which starts at the time returned. */
  beginLastStep(run: Run): Time {
    this.composesEarly = false
    return run.boundary(run.steps, this.endsAt)
  }

  /** Whether the run in progress can still end earlier than it was meant to. */
  get canCut(): boolean {
    return this.lag === 0 || this.composesEarly
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
    if (this.lag === 1) copyTime(into, this.endsAt)
    else current.boundary(current.steps, into)
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
    if (!this.canCut) return
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
