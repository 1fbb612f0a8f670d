import { Histogram, type LedgerReader, SilentReader } from '@windtunnel/metrics'
import { ticksBetweenSeconds } from '@windtunnel/metrics/ticks'
import { type Counts, noCounts, TokenCounts } from './tokenCounts.ts'

/** What happened within one stretch of virtual time. */
export interface Stretch extends Counts {
  readonly ttft: Histogram
}

const MOST_STRETCHES = 400

const emptyStretch = (): Stretch => ({ ...noCounts(), ttft: new Histogram() })

/**
 * A run in at most 400 stretches of equal length, a second at first; when the run outgrows them they double. Memory
 * does not grow with the run.
 */
export class Stretches extends TokenCounts<Stretch> {
  readonly reader: LedgerReader
  seconds = 1
  list: Stretch[] = []

  constructor() {
    super()
    this.reader = new StretchesReader(this)
  }

  at(time: number): Stretch {
    while (time >= MOST_STRETCHES * this.seconds) this.#double()
    const index = Math.floor(time / this.seconds)
    while (this.list.length <= index) this.list.push(emptyStretch())
    return this.list[index]!
  }

  #double(): void {
    this.seconds *= 2
    const pairs: Stretch[] = []
    for (let index = 0; index < this.list.length; index += 2) {
      const one = this.list[index]!
      const other = this.list[index + 1]
      if (other !== undefined) add(one, other)
      pairs.push(one)
    }
    this.list = pairs
  }
}

function add(one: Stretch, other: Stretch): void {
  one.arrived += other.arrived
  one.completed += other.completed
  one.outputTokens += other.outputTokens
  one.gaps += other.gaps
  one.gapSeconds += other.gapSeconds
  one.ttft.merge(other.ttft)
}

class StretchesReader extends SilentReader {
  readonly #stretches: Stretches

  constructor(stretches: Stretches) {
    super()
    this.#stretches = stretches
  }

  override firstToken(time: number, ttftSeconds: number): void {
    const stretch = this.#stretches.at(time)
    stretch.outputTokens += 1
    stretch.ttft.record(ticksBetweenSeconds(0, ttftSeconds))
  }
}
