import { compareTime, copyTime, toSeconds, zeroTime } from '@windtunnel/des'
import { UnknownPart } from '../parts/errors.ts'
import { MOST_TOKENS } from '../parts/units.ts'
import { TraceError, TraceHeaderError } from './errors.ts'
import type { DocumentParser, LineParser, TraceFormat, ZeroTokens } from './format.ts'
import { traceFormats } from './formats/index.ts'
import { LineSplitter, LONGEST_LINE } from './lines.ts'
import { HEAD_LENGTH, recogniseDocument, recogniseTrace } from './recognise.ts'
import { RowQueue, type TraceRow } from './row.ts'

export interface TraceReaderOptions {
  /** Name of the format; recognised from the content without it. */
  readonly format?: string
  /** Options of that format; see its `options`. */
  readonly formatOptions?: Readonly<Record<string, unknown>>
  /** A bad row is an error (the default), or skipped and counted. */
  readonly onBadRow?: 'error' | 'skip'
  /** What 0 tokens in or out mean; without it what is usual for the format (an error, but for BurstGPT and Weka). */
  readonly zeroTokens?: ZeroTokens
  /** Rows without a time are an error (the default), or taken, for replay with arrivals of another kind. */
  readonly times?: 'required' | 'optional'
  /** A time before that of the row before is an error (the default), or taken as it is, to be sorted later. */
  readonly order?: 'error' | 'any'
}

/** What became of the lines read so far. */
export interface TraceCounts {
  rows: number
  blankLines: number
  /** Rows skipped because they were bad, by `onBadRow: 'skip'`. */
  badRows: number
  /** Rows left out because they have no tokens in or out, by `zeroTokens: 'skip'`. */
  zeroRows: number
  /** Messages of the first bad rows skipped. */
  readonly problems: string[]
}

const PROBLEMS_KEPT = 10

/**
 * Reads a trace that is pushed to it in pieces. `push` takes text or bytes, `end` says there are no more, and `next` gives
 * one row at a time, parsing no further than it must: the memory held is the last piece and one line. Throws TraceError with
 * line, column and what was expected, and UnknownTrace when the format cannot be told.
 */
export class TraceReader {
  readonly counts: TraceCounts = { rows: 0, blankLines: 0, badRows: 0, zeroRows: 0, problems: [] }
  private readonly options: TraceReaderOptions
  private readonly lines = new LineSplitter()
  private readonly queue = new RowQueue()
  private readonly previous = zeroTime()
  private hasPrevious = false
  private opened: { format: TraceFormat; parser: LineParser | DocumentParser; zeroTokens: ZeroTokens } | undefined
  private documentRead = false

  constructor(options: TraceReaderOptions = {}) {
    this.options = options
    if (options.format !== undefined) this.open(formatNamed(options.format))
  }

  /** Name of the format, once it is known. */
  get format(): string | undefined {
    return this.opened?.format.name
  }

  push(chunk: string | Uint8Array): void {
    this.lines.push(chunk)
  }

  end(): void {
    this.lines.end()
  }

  /** Whether `end` was called. */
  get isEnded(): boolean {
    return this.lines.isEnded
  }

  /** The next row, valid until the next call; undefined when more text is needed, or, after `end`, when there are no more. */
  next(): TraceRow | undefined {
    while (this.queue.waiting === 0) {
      this.queue.clear()
      if (!this.readMore()) return undefined
    }
    this.counts.rows++
    return this.queue.take()
  }

  /** Reads one line (or the document) into the queue; false when there is none now. */
  private readMore(): boolean {
    if (this.opened === undefined && !this.recognise()) return false
    const { parser } = this.opened!
    if ('document' in parser) return this.readDocument(parser)
    const text = this.lines.next()
    if (text === undefined) return false
    if (text.trim() === '') this.counts.blankLines++
    else this.attempt(() => parser.line(text, this.lines.line, this.queue))
    return true
  }

  private readDocument(parser: DocumentParser): boolean {
    this.lines.refuseLongDocument()
    if (!this.lines.isEnded || this.documentRead) return false
    this.documentRead = true
    this.attempt(() => parser.document(this.lines.rest(), this.queue))
    return true
  }

  /** Parses and checks what one line holds; a bad one is thrown on, or counted and forgotten. */
  private attempt(parse: () => void): void {
    try {
      parse()
      this.check()
    } catch (error) {
      if (!(error instanceof TraceError) || error instanceof TraceHeaderError || this.options.onBadRow !== 'skip')
        throw error
      this.queue.clear()
      this.counts.badRows++
      if (this.counts.problems.length < PROBLEMS_KEPT) this.counts.problems.push(error.message)
    }
  }

  private check(): void {
    const { zeroTokens } = this.opened!
    this.queue.each((row) => this.checkLengths(row))
    const zeroes = this.queue.keep((row) => {
      if (row.inputTokens > 0 && row.outputTokens > 0) return true
      if (zeroTokens === 'error') this.failZero(row)
      if (zeroTokens === 'one') {
        row.inputTokens = Math.max(1, row.inputTokens)
        row.outputTokens = Math.max(1, row.outputTokens)
        return true
      }
      return false
    })
    this.counts.zeroRows += zeroes
    this.queue.each((row) => this.checkTime(row))
  }

  private failZero(row: TraceRow): never {
    const what = row.inputTokens > 0 ? 'output' : 'input'
    throw new TraceError(
      this.format!,
      { line: row.line, field: `${what} tokens` },
      'at least 1 token (or zeroTokens: skip or one)',
      '0',
    )
  }

  private checkLengths({ line, inputTokens, outputTokens }: TraceRow): void {
    if (inputTokens <= MOST_TOKENS && outputTokens <= MOST_TOKENS) return
    const what = inputTokens > MOST_TOKENS ? 'input' : 'output'
    const expected = `at most ${MOST_TOKENS} tokens`
    throw new TraceError(
      this.format!,
      { line, field: `${what} tokens` },
      expected,
      String(Math.max(inputTokens, outputTokens)),
    )
  }

  private checkTime(row: TraceRow): void {
    if (row.afterSeconds !== undefined) return
    if (!row.hasTime) {
      if (this.options.times === 'optional') return
      const field = this.opened!.format.timeField ?? 'time'
      throw new TraceError(
        this.format!,
        { line: row.line, field },
        'a time (or replay with arrivals of another kind: traffic.trace.arrivals in a scenario)',
        'none',
      )
    }
    if (this.options.order === 'any') return
    if (this.hasPrevious && compareTime(row.time, this.previous) < 0) {
      const before = toSeconds(this.previous) - toSeconds(row.time)
      throw new TraceError(
        this.format!,
        { line: row.line, field: this.opened!.format.timeField ?? 'time' },
        'a time not before that of the row before (or sorting: --sort, or traffic.trace.sort in a scenario)',
        `one ${before} s earlier`,
      )
    }
    copyTime(this.previous, row.time)
    this.hasPrevious = true
  }

  /** Tells the format from the first line that is not blank, once it has come; of a document one line may be all. */
  private recognise(): boolean {
    const { lines } = this
    while (lines.takeBlank()) this.counts.blankLines++
    const { lineLength } = lines
    if (!lines.isEnded) {
      if (lines.held < HEAD_LENGTH || (lineLength === undefined && lines.held <= LONGEST_LINE)) return false
      if (lineLength === undefined) return this.recogniseDocument()
    }
    const text = lines.look(Math.max(HEAD_LENGTH, lineLength ?? lines.held))
    if (text.trim() === '') return false
    this.open(recogniseTrace(text))
    return true
  }

  private recogniseDocument(): boolean {
    const format = recogniseDocument(this.lines.look(HEAD_LENGTH))
    if (format === undefined) this.lines.refuseLongLine()
    else this.open(format)
    return format !== undefined
  }

  private open(format: TraceFormat): void {
    const parser = format.open(this.options.formatOptions ?? {})
    this.opened = { format, parser, zeroTokens: this.options.zeroTokens ?? format.zeroTokens }
  }
}

function formatNamed(name: string): TraceFormat {
  const formats: Readonly<Record<string, TraceFormat>> = traceFormats
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined
  if (format === undefined) throw new UnknownPart('trace format', name, Object.keys(formats))
  return format
}

/** All rows of a trace that is in memory already, copied. For small traces and tests. */
export function readTrace(text: string | Uint8Array, options: TraceReaderOptions = {}): TraceRow[] {
  const reader = new TraceReader(options)
  reader.push(text)
  reader.end()
  const rows: TraceRow[] = []
  for (let row = reader.next(); row !== undefined; row = reader.next()) {
    rows.push({
      ...row,
      time: { ...row.time },
      contents: row.contents.slice(0, row.runs),
      runTokens: row.runTokens.slice(0, row.runs),
    })
  }
  return rows
}
