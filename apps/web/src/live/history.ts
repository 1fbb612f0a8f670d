import type { Frame } from '@windtunnel/protocol'

/** The series of the live charts; seconds, shares and counts as in a frame. */
export const COLUMNS = {
  time: (frame: Frame) => frame.time,
  ttftP50: (frame: Frame) => frame.ttft?.p50,
  ttftP90: (frame: Frame) => frame.ttft?.p90,
  ttftP99: (frame: Frame) => frame.ttft?.p99,
  itlP50: (frame: Frame) => frame.itl?.p50,
  itlP90: (frame: Frame) => frame.itl?.p90,
  itlP99: (frame: Frame) => frame.itl?.p99,
  tpotP99: (frame: Frame) => frame.tpot?.p99,
  e2eP50: (frame: Frame) => frame.e2e?.p50,
  e2eP90: (frame: Frame) => frame.e2e?.p90,
  e2eP99: (frame: Frame) => frame.e2e?.p99,
  outputTokensPerSecond: (frame: Frame) => frame.outputTokensPerSecond,
  goodput: (frame: Frame) => frame.goodput,
  arrivalRate: (frame: Frame) => frame.arrivalRate,
  requestsPerSecond: (frame: Frame) => frame.requestsPerSecond,
  waiting: (frame: Frame) => frame.waiting,
  transferring: (frame: Frame) => frame.transferring,
  batch: (frame: Frame) => frame.batch,
  kvUse: (frame: Frame) => frame.kvUse,
  prefixHitRate: (frame: Frame) => frame.prefixHitRate,
  queueP50: (frame: Frame) => frame.queue?.p50,
  queueP90: (frame: Frame) => frame.queue?.p90,
  queueP99: (frame: Frame) => frame.queue?.p99,
  inputTokensPerSecond: (frame: Frame) => frame.inputTokensPerSecond,
  preemptionsPerSecond: (frame: Frame) => frame.preemptionsPerSecond,
  costPerMillionTokens: (frame: Frame) => frame.costPerMillionTokens,
} as const
export type Column = keyof typeof COLUMNS

const names = Object.keys(COLUMNS) as Column[]

/** The last `capacity` frames as columns, oldest first; what a chart draws. */
export class History {
  readonly columns: Record<Column, (number | null)[]>
  /** Rises with every change: what has drawn a version need not draw it again. */
  version = 0
  private readonly capacity: number

  constructor(capacity = 600) {
    this.capacity = capacity
    this.columns = Object.fromEntries(names.map((name) => [name, []])) as unknown as Record<Column, (number | null)[]>
  }

  get length(): number {
    return this.columns.time.length
  }

  firstTime(): number {
    return this.columns.time[0] ?? 0
  }

  lastTime(): number {
    return this.columns.time[this.length - 1] ?? 0
  }

  clear(): void {
    this.version += 1
    for (const name of names) this.columns[name].length = 0
  }

  /** Adds a frame; one of the same virtual time (a paused run) takes the place of the last. */
  push(frame: Frame): void {
    this.version += 1
    const again = this.length > 0 && frame.time <= this.lastTime()
    for (const name of names) {
      const column = this.columns[name]
      if (again) column.pop()
      column.push(COLUMNS[name](frame) ?? null)
      if (column.length > this.capacity) column.shift()
    }
  }
}
