import type { PlanInput } from './planFields.ts'

/** The i-th of a sequence that fills (0, 1) evenly: the bits of i mirrored at the point (van der Corput). */
function evenSample(index: number): number {
  let sample = 0
  let place = 0.5
  for (let left = index; left > 0; left = Math.floor(left / 2)) {
    if (left % 2 === 1) sample += place
    place /= 2
  }
  return sample
}

/** When each session arrives, in seconds from 0, in order. */
export function arrivalSeconds({ sessions, arrivals, rate = 1 }: PlanInput): readonly number[] {
  let at = 0
  return Array.from({ length: sessions }, (_, session) => {
    if (arrivals === 'together' || session === 0) return 0
    at += arrivals === 'even' ? 1 / rate : -Math.log(1 - evenSample(session)) / rate
    return at
  })
}
