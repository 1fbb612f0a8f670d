import { addTicks, MAX_EXACT_TICKS, SECONDS_PER_TICK, TICKS_PER_SECOND, type Time } from '@windtunnel/des'

/** Runs are kept below this many ticks (256 s), so that every boundary inside them is exact in one number. */
const LONGEST_RUN_TICKS = MAX_EXACT_TICKS / 2

/** A prompt chunk inside a step. */
export interface Chunk {
  slot: number
  tokens: number
  context: number
  /** True when the step completes the known text, so that a token is sampled at its end. */
  completes: boolean
}

/**
 * Consecutive steps of one composition: one mixed step, or many pure decode steps whose duration grows by the same number of
 * ticks each (every sequence adds one token of context). It is anchored at its start; boundaries are computed from the
 * anchor and never accumulated, so looking at a run does not change it.
 */
export class StepRun {
  /** The time at which it starts: fields of its own, since runs of many replicas are read from far memory. */
  startSeconds = 0
  startTicks = 0
  firstStep = 0
  steps = 0
  firstTicks = 0
  growthTicks = 0
  /** Decoding sequences in each step, ghosts (whose output is dropped) included. */
  sequences = 0
  ghosts = 0
  contextTokens = 0
  prefillTokens = 0
  readonly chunks: Chunk[] = []
  chunkCount = 0
  /** Members whose gap in this (single) step does not begin with the step. */
  readonly irregular: number[] = []
  /** Sequences dropped while the last step was in flight: their token of that step is discarded. */
  droppedInLast = 0
  /** Steps already told to observers. */
  reported = 0
  /** Of the runs that wait to be filled anew, the one after this. */
  nextSpare: StepRun | undefined = undefined

  startAt(time: Time): void {
    this.startSeconds = time.seconds
    this.startTicks = time.ticks
  }

  /** The nearest double to its start, in seconds. */
  get startsAt(): number {
    return this.startSeconds + this.startTicks * SECONDS_PER_TICK
  }

  /** A chunk at the end of the list, to be filled. */
  nextChunk(): Chunk {
    if (this.chunkCount === this.chunks.length) this.chunks.push({ slot: 0, tokens: 0, context: 0, completes: false })
    this.chunkCount += 1
    return this.chunks[this.chunkCount - 1]!
  }

  /** Ticks from the start to the beginning of step `j` (to the end of the run for j = steps). */
  boundaryTicks(j: number): number {
    return j * this.firstTicks + this.growthTicks * ((j * (j - 1)) / 2)
  }

  /** Writes the time at which step `j` begins into `into`. */
  boundary(j: number, into: Time): Time {
    into.seconds = this.startSeconds
    into.ticks = this.startTicks
    return addTicks(into, this.boundaryTicks(j))
  }

  /** The first boundary (0 .. steps) at or after `time`; `steps` when all are before it. */
  firstBoundaryFrom(time: Time): number {
    return this.firstBoundary(this.ticksUntil(time))
  }

  /** How many steps have ended at or before `time`. */
  endedBy(time: Time): number {
    const elapsed = this.ticksUntil(time)
    if (elapsed < this.firstTicks) return 0
    const j = this.firstBoundary(elapsed)
    return this.boundaryTicks(j) > elapsed ? j - 1 : j
  }

  /** Cuts the run so short that its boundaries stay exact. */
  limitLength(): void {
    while (this.steps > 1 && this.boundaryTicks(this.steps) > LONGEST_RUN_TICKS) this.steps = Math.ceil(this.steps / 2)
  }

  /** From its start to `time`. */
  ticksUntil(time: Time): number {
    return (time.seconds - this.startSeconds) * TICKS_PER_SECOND + (time.ticks - this.startTicks)
  }

  private firstBoundary(elapsed: number): number {
    if (elapsed <= 0) return 0
    if (elapsed >= this.boundaryTicks(this.steps)) return this.steps
    let j: number
    if (this.growthTicks === 0) {
      j = Math.ceil(elapsed / this.firstTicks)
    } else {
      const half = this.growthTicks / 2
      const linear = this.firstTicks - half
      j = Math.ceil((Math.sqrt(linear * linear + 4 * half * elapsed) - linear) / this.growthTicks)
    }
    if (j > this.steps) j = this.steps
    if (j < 0) j = 0
    while (j > 0 && this.boundaryTicks(j - 1) >= elapsed) j -= 1
    while (this.boundaryTicks(j) < elapsed) j += 1
    return j
  }
}
