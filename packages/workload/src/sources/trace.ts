import {
  addSeconds,
  compareTime,
  copyTime,
  RandomStream,
  TICKS_PER_SECOND,
  type Time,
  toSeconds,
  zeroTime,
} from '@windtunnel/des'
import type { ArrivalProcess } from '../arrivals/arrivalProcess.ts'
import type { PartSpec } from '../parts/option.ts'
import { resolveOptions } from '../parts/resolve.ts'
import type { PromptTree } from '../promptTree.ts'
import type { RequestDraft } from '../request.ts'
import type { Ending } from '../requestSource.ts'
import { createPromptTree } from '../tokenRuns.ts'
import { TraceError, TraceStarved } from '../traces/errors.ts'
import type { TraceRow } from '../traces/row.ts'
import type { RatedSource } from './merged.ts'
import { type MixChange, orderedWeights, rescale, scaledTokens, type TrafficMix, unscaled } from './mix.ts'
import { FIELDS, INPUT, MAXIMUM, OUTPUT, OUTPUT_NODE, PROMPT, RowBuffer, SESSION } from './rowBuffer.ts'
import { SessionChains } from './sessionChains.ts'
import type { ClientHabits } from './stream.ts'
import { clientOptions, habitsOf, trafficParts } from './synthetic.ts'
import { TraceTime } from './traceTime.ts'

export interface TraceSourceOptions {
  readonly seed: number
  /** Multiplies the rate by dividing the distances between arrivals. 1 when not given. */
  readonly rateScale?: number
  /** Virtual time of the first row, in seconds. 0 when not given. */
  readonly startSeconds?: number
  /** Arrivals of another kind instead of the recorded times: rows are taken in the order of the file. Keeps the whole trace in memory. */
  readonly arrivals?: PartSpec
  /** Sort rows by time first. Keeps the whole trace in memory. */
  readonly sort?: boolean
  /** Rows held ready; more when that many come at one instant. 4096 when not given. */
  readonly bufferRows?: number
  readonly tenant?: number
  readonly serviceClass?: number
  /** What clients do; see `clientOptions`. */
  readonly clients?: Readonly<Record<string, unknown>>
  readonly tree?: PromptTree
}

/**
 * Replays the rows of a trace. The simulation never waits, so rows must be here before it needs them. The protocol for
 * drivers:
 *
 * 1. While `needsRows()` is true: take a row from a TraceReader and `offer` it; when the trace is over, `close`. (`feed`
 *    does this from text in memory or until the reader wants more.)
 * 2. Run the simulation up to and including `knownUntil()`, or as far as wanted when that is undefined.
 * 3. Begin again. A run past `knownUntil()` throws TraceStarved rather than losing arrivals.
 *
 * Rows of one session that wait for each other must come close together (within the buffer), as readers give them.
 */
export class TraceSource implements RatedSource {
  readonly tree: PromptTree
  private readonly rows = new RowBuffer()
  private readonly chains = new SessionChains()
  private readonly clock: TraceTime
  private readonly process: ArrivalProcess | undefined
  private readonly sort: boolean
  private readonly wanted: number
  private readonly habits: ClientHabits
  private readonly random: RandomStream
  private readonly scales = unscaled()
  private closed = false
  private offered = 0
  /** The line of the last row offered has more rows. */
  private unfinished = false
  private readonly firstTime = zeroTime()
  private readonly lastTime = zeroTime()
  /** The rows that say what the recorded rate is: how many, and the time of the last. */
  private ratedRows = 0
  private readonly ratedUntil = zeroTime()
  private readonly fields = new Int32Array(FIELDS)
  private readonly at = zeroTime()
  private readonly scratch = zeroTime()
  private readonly known = zeroTime()

  constructor(options: TraceSourceOptions) {
    this.tree = options.tree ?? createPromptTree()
    const place = { tenant: options.tenant ?? 0, serviceClass: options.serviceClass ?? 0 }
    this.habits = habitsOf(resolveOptions('trace.clients', clientOptions, options.clients ?? {}), place)
    this.random = new RandomStream(options.seed, 'trace/clients')
    this.clock = new TraceTime(addSeconds(zeroTime(), options.startSeconds ?? 0), checkedScale(options.rateScale ?? 1))
    this.sort = options.sort ?? false
    this.wanted = options.bufferRows ?? 4096
    if (options.arrivals !== undefined) {
      this.process = trafficParts(options.seed, 'trace', this.tree).arrivals(
        'trace.arrivals',
        options.arrivals,
        'arrivals',
      )
    }
  }

  /** Whether rows are to be offered before the simulation goes on. */
  needsRows(): boolean {
    if (this.closed) return false
    if (this.unfinished || this.sort || this.process !== undefined || this.rows.size < this.wanted) return true
    // All at one instant: others of that instant may still come.
    return compareTime(this.rows.timeOfFirst(this.at), this.rows.timeOfLast(this.scratch)) === 0
  }

  /** Takes the next row of the trace, and copies it. Throws a TraceError for a time before the one before, or none where one is needed. */
  offer(row: TraceRow): void {
    const { fields } = this
    const follows = row.afterSeconds !== undefined && row.session > 0
    if (!follows) this.noteTime(row)
    fields[INPUT] = row.inputTokens
    fields[OUTPUT] = row.outputTokens
    fields[MAXIMUM] = row.maxTokens ?? 0
    fields[SESSION] = row.session
    fields[PROMPT] = this.promptOf(row, follows)
    const answer = (follows || row.continues) && row.runs === 0 ? this.tree.fresh(fields[PROMPT]!, row.outputTokens) : 0
    fields[OUTPUT_NODE] = answer
    if (follows) {
      const call = { afterSeconds: row.afterSeconds!, fields: fields.slice() }
      this.chains.add(row.session, row.line, call, answer, row.continues)
    } else {
      if (row.continues) this.chains.begin(row.session, answer)
      this.rows.add(row.hasTime ? row.time : this.lastTime, fields)
    }
    this.offered++
    this.unfinished = row.together
    if (this.offered <= this.wanted) this.noteRate(this.offered)
  }

  /** Says that the trace is over. */
  close(): void {
    this.closed = true
    if (this.sort && this.process === undefined) {
      this.rows.sort()
      if (this.rows.size === 0) return
      this.clock.begin(this.rows.timeOfFirst(this.firstTime))
      this.rows.timeOfLast(this.lastTime)
      this.noteRate(this.offered)
    }
  }

  /** Up to which virtual time all arrivals are known; undefined when there is no end to it. */
  knownUntil(): Time | undefined {
    if (this.closed || this.clock.speed === 0) return undefined
    if (this.rows.size === 0 || this.sort || this.process !== undefined) return copyTime(this.known, zeroTime())
    const last = this.clock.toVirtual(this.rows.timeOfLast(this.scratch), this.known)
    if (last.ticks > 0) last.ticks -= 1
    else if (last.seconds > 0) {
      last.seconds -= 1
      last.ticks = TICKS_PER_SECOND - 1
    }
    return last
  }

  /**
   * Mean rate of the first `bufferRows` rows, at the present speed. Not of all rows offered so far: how far a reader has
   * come depends on the wall clock, and a change of the rate must mean the same when it is replayed.
   */
  get meanRate(): number | undefined {
    if (this.process !== undefined) return this.process.meanRate
    const recorded = this.recordedRate()
    return recorded === undefined ? undefined : recorded * this.clock.speed
  }

  /** Sets the speed so that `meanRate` becomes this. */
  setRate(requestsPerSecond: number, now: Time): void {
    if (this.process !== undefined) {
      this.process.setRate(requestsPerSecond, now)
      return
    }
    const recorded = this.recordedRate()
    if (recorded !== undefined) this.clock.change(requestsPerSecond / recorded, now)
  }

  get mix(): TrafficMix {
    const { prompt, output } = this.scales
    return { streams: [{ name: TRACE_STREAM, share: 1 }], promptScale: prompt, outputScale: output }
  }

  /**
   * Lengths of the rows to come change; text that the trace knows keeps its length, so that what prompts share and what
   * later turns build on stays as recorded.
   */
  setMix(change: MixChange): void {
    if (change.weights !== undefined) orderedWeights(change.weights, [TRACE_STREAM])
    rescale(this.scales, change)
  }

  peek(into: Time): boolean {
    const fresh = this.peekRow(into)
    if (!this.chains.peek(this.at)) return fresh
    if (!fresh || compareTime(this.at, into) <= 0) copyTime(into, this.at)
    return true
  }

  take(into: RequestDraft): void {
    const fresh = this.peekRow(into.arrival)
    if (this.chains.peek(this.at) && (!fresh || compareTime(this.at, into.arrival) <= 0)) {
      copyTime(into.arrival, this.at)
      this.chains.take(this.fields)
    } else {
      this.process?.advance()
      this.rows.take(this.fields)
    }
    this.fill(into)
  }

  ended(tag: number, ending: Ending, time: Time): void {
    const over = copyTime(this.at, time)
    if (this.habits.roundTripSeconds > 0) addSeconds(over, this.habits.roundTripSeconds)
    if (tag === 0 || this.chains.ended(tag, ending === 'completed', over, this.closed)) this.process?.released?.(over)
  }

  private recordedRate(): number | undefined {
    const span = toSeconds(this.ratedUntil) - toSeconds(this.firstTime)
    return span > 0 ? (this.ratedRows - 1) / span : undefined
  }

  private noteRate(rows: number): void {
    this.ratedRows = rows
    copyTime(this.ratedUntil, this.lastTime)
  }

  private noteTime(row: TraceRow): void {
    if (!row.hasTime) {
      if (this.process !== undefined) return
      throw new TraceError('any', { line: row.line }, 'a time (or arrivals of another kind)', 'none')
    }
    if (!this.sort) this.clock.begin(row.time)
    if (this.offered === 0) copyTime(this.firstTime, row.time)
    else if (!this.sort && this.process === undefined && compareTime(row.time, this.lastTime) < 0) {
      throw new TraceError(
        'any',
        { line: row.line },
        'a time not before that of the row before (or sorting)',
        'an earlier one',
      )
    }
    copyTime(this.lastTime, row.time)
  }

  private peekRow(into: Time): boolean {
    if (!this.closed && (this.rows.size === 0 || this.sort || this.process !== undefined)) throw new TraceStarved()
    if (this.rows.size === 0) return false
    if (this.process !== undefined) return this.process.peek(into)
    if (this.clock.speed === 0) return false
    this.clock.toVirtual(this.rows.timeOfFirst(this.scratch), into)
    return true
  }

  /** The node where the prompt's known text ends: its runs, or, in a session whose calls wait, all that was said before. */
  private promptOf(row: TraceRow, follows: boolean): number {
    let node = 0
    let left = row.inputTokens
    for (let i = 0; i < row.runs && left > 0; i++) {
      const tokens = Math.min(row.runTokens[i]!, left)
      node = this.tree.child(node, row.contents[i]!, tokens)
      left -= tokens
    }
    if (row.runs > 0 || !(follows || row.continues)) return node
    const answer = follows ? this.chains.answerOf(row.session) : 0
    const words = row.inputTokens - this.tree.depthOf(answer)
    return words > 0 ? this.tree.fresh(answer, words) : this.tree.fresh(0, row.inputTokens)
  }

  private fill(into: RequestDraft): void {
    const { habits, fields } = this
    const session = fields[SESSION]!
    this.fillLengths(into)
    into.prompt = fields[PROMPT]!
    into.output = fields[OUTPUT_NODE]!
    into.session = session
    into.tag = session > 0 && this.chains.has(session) ? session : 0
    into.tenant = habits.tenant
    into.serviceClass = habits.serviceClass
    into.priority = habits.priority
    into.timeoutSeconds = habits.timeoutSeconds
    into.cancelAfterSeconds = Number.POSITIVE_INFINITY
    if (habits.cancelShare > 0 && this.random.uniform() < habits.cancelShare) {
      into.cancelAfterSeconds = this.random.exponential(habits.patienceSeconds)
    }
  }

  private fillLengths(into: RequestDraft): void {
    const { habits, fields, scales } = this
    const known = scales.prompt === 1 ? 0 : this.tree.depthOf(fields[PROMPT]!)
    const output = fields[OUTPUT_NODE]! === 0 ? scales.output : 1
    into.inputTokens = known + scaledTokens(fields[INPUT]! - known, scales.prompt)
    into.outputTokens = scaledTokens(fields[OUTPUT]!, output)
    into.maxTokens =
      fields[MAXIMUM]! > 0 ? scaledTokens(fields[MAXIMUM]!, output) : (habits.maxTokens ?? into.outputTokens)
  }
}

const TRACE_STREAM = 'trace'

function checkedScale(rateScale: number): number {
  if (rateScale > 0 && Number.isFinite(rateScale)) return rateScale
  throw new RangeError(`trace.rateScale: expected a number above 0, found ${rateScale}`)
}
