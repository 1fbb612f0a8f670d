import type { StepCost } from '@windtunnel/cost'
import { emptyBatch } from '@windtunnel/cost/step/stepCost'
import type { StaticOptions } from '../../src/index.ts'
import type { NaiveEngine, NaiveEvent, NaiveRequest, NaiveSurroundings } from './naiveFleet.ts'
import { decodeTicks, stepTicks } from './referenceDuration.ts'
import { seconds, ticksOf } from './referenceTime.ts'

/** Static batching, one step and one row at a time. */
export class NaiveStatic implements NaiveEngine {
  usedBlocks = 0
  #waiting: NaiveRequest[] = []
  /** Rows of the batch: every member, ended or not. */
  #rows: NaiveRequest[] = []
  #stepEnd: bigint | undefined
  #composeAt: bigint | undefined
  #stepStart = 0n
  /** Decode steps begun in this batch; undefined before its prefill has ended. */
  #decoded: number | undefined
  #options: StaticOptions
  #cost: StepCost
  #windowTokens: number | undefined
  #around: NaiveSurroundings

  constructor(options: StaticOptions, cost: StepCost, windowTokens: number | undefined, around: NaiveSurroundings) {
    this.#windowTokens = windowTokens
    this.#options = options
    this.#cost = cost
    this.#around = around
  }

  refuses(request: NaiveRequest): boolean {
    const { maxModelLength, blockSize, totalBlocks } = this.#options
    const tokens = request.input + request.maxTokens
    return tokens > maxModelLength || Math.ceil(tokens / blockSize) > totalBlocks
  }

  events(): NaiveEvent[] {
    const now = this.#around.now()
    if (this.#stepEnd !== undefined) return [{ time: this.#stepEnd, order: 0, run: () => this.#end() }]
    if (this.#composeAt !== undefined) return [{ time: this.#composeAt, order: 4, run: () => this.#compose() }]
    if (this.#waiting.length === 0) return []
    const due = this.#due()
    return [{ time: latest([due, now]), order: 4, run: () => this.#compose() }]
  }

  enqueue(request: NaiveRequest): void {
    this.#waiting.push(request)
  }

  abandon(request: NaiveRequest): void {
    if (request.phase !== 'waiting') return
    this.#waiting.splice(this.#waiting.indexOf(request), 1)
    this.#around.finished(request)
  }

  #due(): bigint {
    if (this.#waiting.length >= this.#options.maxSequences) return 0n
    const oldest = -latest(this.#waiting.map((one) => -ticksOf(one.draft.arrival)))
    return oldest + BigInt(Math.round(this.#options.maxWaitSeconds * 2 ** 44))
  }

  #compose(): void {
    this.#composeAt = undefined
    for (const row of this.#rows) if (row.clientLeft && row.phase !== 'gone') this.#around.finished(row)
    if (this.#rows.some((row) => row.phase !== 'gone')) return this.#decode()
    this.#rows = []
    this.usedBlocks = 0
    if (this.#waiting.length === 0 || this.#due() > this.#around.now()) return
    this.#fill()
  }

  #fill(): void {
    const { maxSequences, blockSize, totalBlocks } = this.#options
    const { observer, replica } = this.#around
    const time = seconds(this.#around.now())
    while (this.#waiting.length > 0 && this.#rows.length < maxSequences) {
      const rows = [...this.#rows, this.#waiting[0]!]
      const reserved = Math.max(...rows.map((one) => one.input)) + Math.max(...rows.map((one) => one.maxTokens))
      const blocks = rows.length * Math.ceil(reserved / blockSize)
      if (blocks > totalBlocks) break
      this.usedBlocks = blocks
      this.#rows = rows
      const request = this.#waiting.shift()!
      request.phase = 'running'
      observer.admitted(request.id, time, replica, 0, request.input, 0)
    }
    for (const row of this.#rows) observer.prefillChunk(row.id, time, replica, row.input, 0)
    const padded = Math.max(...this.#rows.map((one) => one.input))
    const batch = emptyBatch()
    batch.chunkCount = batch.chunkSamples = this.#rows.length
    batch.chunkTokens = this.#rows.map(() => padded)
    batch.chunkContext = this.#rows.map(() => 0)
    this.#decoded = undefined
    this.#start(stepTicks(this.#cost.seconds(batch)))
  }

  #decode(): void {
    const padded = Math.max(...this.#rows.map((one) => one.input))
    this.#decoded = (this.#decoded ?? 0) + 1
    const context = padded + this.#decoded
    this.#start(
      decodeTicks(
        this.#cost,
        this.#rows.map(() => context),
        this.#windowTokens,
      ),
    )
  }

  #start(ticks: bigint): void {
    this.#stepStart = this.#around.now()
    this.#stepEnd = this.#stepStart + ticks
  }

  #end(): void {
    const now = this.#around.now()
    const alive = this.#rows.filter((row) => row.phase !== 'gone')
    for (const row of alive) {
      row.emitted += 1
      if (this.#decoded !== undefined) this.#around.observer.tokenGap(row.id, 0, Number(now - this.#stepStart))
      else if (!row.clientLeft) this.#around.observer.firstToken(row.id, seconds(now))
    }
    for (const row of alive) if (row.emitted === row.output) this.#around.finished(row)
    this.#stepEnd = undefined
    this.#composeAt = now
  }
}

const latest = (times: readonly bigint[]): bigint => times.toSorted((a, b) => Number(a - b)).at(-1)!
