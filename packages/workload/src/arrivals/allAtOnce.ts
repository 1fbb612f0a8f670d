import { copyTime, type Time, timeFromSeconds } from '@windtunnel/des'
import { CannotSteer } from '../parts/errors.ts'
import { count, seconds, withDefault } from '../parts/units.ts'
import type { ArrivalProcess } from './arrivalProcess.ts'
import { arrivalPart } from './part.ts'

class AllAtOnce implements ArrivalProcess {
  readonly meanRate = undefined
  private left: number
  private readonly at: Time
  constructor(requests: number, at: Time) {
    this.left = requests
    this.at = at
  }
  peek(into: Time): boolean {
    if (this.left === 0) return false
    copyTime(into, this.at)
    return true
  }
  advance(): void {
    this.left--
  }
  setRate(): void {
    throw new CannotSteer('Arrivals that all come at once have no rate to change.')
  }
}

export const allAtOnce = arrivalPart({
  name: 'allAtOnce',
  sentence: 'A batch: every request arrives at one instant, as in offline inference.',
  options: {
    requests: count('requests', 'Size of the batch.'),
    atSeconds: withDefault(seconds('When it arrives.'), 0),
  },
  create: ({ requests, atSeconds }) => new AllAtOnce(requests, timeFromSeconds(atSeconds)),
})
