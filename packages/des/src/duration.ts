import type { Time } from './time.ts'
import { addTicks, ticksFromSeconds } from './time.ts'

/**
 * Adds a duration of `seconds` >= 0, of any length, to `time` in place: whole seconds as they are, the rest rounded once to
 * the nearest tick. `addTicks` alone holds only durations below 512 s.
 */
export const addSeconds = (time: Time, seconds: number): Time => {
  const whole = Math.floor(seconds)
  time.seconds += whole
  return addTicks(time, ticksFromSeconds(seconds - whole))
}
