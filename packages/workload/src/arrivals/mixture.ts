import { compareTime, type Time, zeroTime } from '@windtunnel/des'
import { CannotSteer, OptionError } from '../parts/errors.ts'
import { list, part } from '../parts/units.ts'
import type { ArrivalProcess } from './arrivalProcess.ts'
import { arrivalPart } from './part.ts'

/** Several open processes at once; equal times in the order of the list. */
class Mixture implements ArrivalProcess {
  private readonly parts: readonly ArrivalProcess[]
  private readonly other: Time = zeroTime()
  private readonly scratch: Time = zeroTime()

  constructor(parts: readonly ArrivalProcess[]) {
    this.parts = parts
  }

  get meanRate(): number | undefined {
    let sum = 0
    for (const each of this.parts) {
      if (each.meanRate === undefined) return undefined
      sum += each.meanRate
    }
    return sum
  }

  peek(into: Time): boolean {
    return this.first(into) !== undefined
  }

  advance(): void {
    this.first(this.scratch)?.advance()
  }

  setRate(requestsPerSecond: number, now: Time): void {
    const mean = this.meanRate
    if (mean === undefined) throw new CannotSteer('A part of this mixture of arrivals has no rate to change.')
    for (const each of this.parts) {
      each.setRate(mean > 0 ? (requestsPerSecond * each.meanRate!) / mean : requestsPerSecond / this.parts.length, now)
    }
  }

  private first(into: Time): ArrivalProcess | undefined {
    let first: ArrivalProcess | undefined
    for (const each of this.parts) {
      if (!each.peek(this.other)) continue
      if (first === undefined || compareTime(this.other, into) < 0) {
        first = each
        into.seconds = this.other.seconds
        into.ticks = this.other.ticks
      }
    }
    return first
  }
}

export const mixture = arrivalPart({
  name: 'mixture',
  sentence: 'Several arrival processes at once, for instance a steady stream and bursts.',
  options: { parts: list('The processes.', { arrivals: part('arrivals', 'One of them.') }) },
  create: ({ parts }, context) =>
    new Mixture(
      parts.map(({ arrivals }, i) => {
        const where = `mixture.parts[${i}].arrivals`
        if (arrivals.name === 'closedLoop') throw new OptionError(where, 'an open process', 'a closed loop')
        return context.arrivals(where, arrivals, `part ${i}`)
      }),
    ),
})
