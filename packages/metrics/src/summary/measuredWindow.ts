import { SECONDS_PER_TICK } from '../ticks.ts'

/**
 * The part of a run that its figures are about, in virtual seconds: after the warm-up, before the cool-down. A request
 * counts when it arrives within; a token, a gap, a step, a cache look-up or a preemption when it happens within.
 */
export interface MeasuredWindow {
  readonly fromSeconds: number
  /** Exclusive; Infinity for the end of the run. */
  readonly untilSeconds: number
}

export const WHOLE_RUN: MeasuredWindow = { fromSeconds: 0, untilSeconds: Number.POSITIVE_INFINITY }

export const isWithin = (window: MeasuredWindow, time: number): boolean =>
  time >= window.fromSeconds && time < window.untilSeconds

/** Length of the window in a run of `simulatedSeconds`; 0 for a run that ended before it began. */
export const measuredSeconds = (window: MeasuredWindow, simulatedSeconds: number): number =>
  Math.max(0, Math.min(window.untilSeconds, simulatedSeconds) - window.fromSeconds)

/** Some of the steps of a decode run: `count` from step `first` on. */
export interface StepSpan {
  first: number
  count: number
}

/** When step `step` (0, 1 ...) of a decode run from `time` on has ended, seconds. */
const stepEnd = (time: number, step: number, firstGapTicks: number, growthTicks: number): number =>
  time + ((step + 1) * firstGapTicks + (growthTicks * (step * (step + 1))) / 2) * SECONDS_PER_TICK

/** The steps of a decode run that end within the window, written into `into`. */
export const stepsWithin = (
  window: MeasuredWindow,
  time: number,
  steps: number,
  firstGapTicks: number,
  growthTicks: number,
  into: StepSpan,
): StepSpan => {
  const endedBefore = (limit: number): number => {
    let low = 0
    let high = steps
    while (low < high) {
      const middle = (low + high) >> 1
      if (stepEnd(time, middle, firstGapTicks, growthTicks) < limit) low = middle + 1
      else high = middle
    }
    return low
  }
  const lastEnd = stepEnd(time, steps - 1, firstGapTicks, growthTicks)
  into.first = time >= window.fromSeconds ? 0 : endedBefore(window.fromSeconds)
  into.count = (lastEnd < window.untilSeconds ? steps : endedBefore(window.untilSeconds)) - into.first
  return into
}
