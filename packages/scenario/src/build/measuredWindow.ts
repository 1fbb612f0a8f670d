import type { MeasuredWindow } from '@windtunnel/metrics/summary/measuredWindow'
import type { Scenario } from '../schema/scenario.ts'

/** The part of a run that its figures are about: after the warm-up, before the cool-down. */
export function measuredWindowOf({ run }: Scenario): MeasuredWindow {
  const { durationSeconds, warmUpSeconds = 0, coolDownSeconds = 0 } = run
  return {
    fromSeconds: warmUpSeconds,
    // Without a cool-down, what happens at the very end counts too.
    untilSeconds:
      durationSeconds === undefined || coolDownSeconds === 0
        ? Number.POSITIVE_INFINITY
        : durationSeconds - coolDownSeconds,
  }
}
