import { Histogram } from '../sketch/histogram.ts'

/** Counters and sketches of one slot of virtual time, or of several merged. */
export class WindowSlot {
  readonly ttft = new Histogram()
  readonly itl = new Histogram()
  readonly tpot = new Histogram()
  readonly e2e = new Histogram()
  readonly queue = new Histogram()
  arrived = 0
  completed = 0
  good = 0
  ttftMet = 0
  tpotMet = 0
  e2eMet = 0
  inputTokens = 0
  outputTokens = 0
  preemptions = 0
  cachedTokens = 0
  queriedTokens = 0

  clear(): void {
    for (const sketch of [this.ttft, this.itl, this.tpot, this.e2e, this.queue]) sketch.clear()
    this.arrived = 0
    this.completed = 0
    this.good = 0
    this.ttftMet = 0
    this.tpotMet = 0
    this.e2eMet = 0
    this.inputTokens = 0
    this.outputTokens = 0
    this.preemptions = 0
    this.cachedTokens = 0
    this.queriedTokens = 0
  }

  add(other: WindowSlot): void {
    this.ttft.merge(other.ttft)
    this.itl.merge(other.itl)
    this.tpot.merge(other.tpot)
    this.e2e.merge(other.e2e)
    this.queue.merge(other.queue)
    this.arrived += other.arrived
    this.completed += other.completed
    this.good += other.good
    this.ttftMet += other.ttftMet
    this.tpotMet += other.tpotMet
    this.e2eMet += other.e2eMet
    this.inputTokens += other.inputTokens
    this.outputTokens += other.outputTokens
    this.preemptions += other.preemptions
    this.cachedTokens += other.cachedTokens
    this.queriedTokens += other.queriedTokens
  }
}
