import { type Time, zeroTime } from '@windtunnel/des'

/** One request as a trace tells it. Readers reuse the object: it is valid until the next row is asked for. */
export interface TraceRow {
  /** Line of the file, from 1; for a document, the line or entry it began at. */
  line: number
  /** Whether the row has a time of its own. */
  hasTime: boolean
  /** Time as the file counts it (its own origin). */
  readonly time: Time
  inputTokens: number
  outputTokens: number
  /** Limit that the client asked for; undefined when the file does not say. */
  maxTokens: number | undefined
  /** Runs of the prompt's beginning that other rows may share: content number and tokens, `runs` of them. */
  runs: number
  readonly contents: number[]
  readonly runTokens: number[]
  /** Conversation, from 1; 0 when none. */
  session: number
  /** The row is sent this many seconds after the end of the row before it in its session, and not at a time of its own. */
  afterSeconds: number | undefined
  /** Whether a later row of the session waits for this one to end. */
  continues: boolean
  /** Whether the next row is of the same line and must be offered with this one. */
  together: boolean
}

const blankRow = (): TraceRow => ({
  line: 0,
  hasTime: false,
  time: zeroTime(),
  inputTokens: 0,
  outputTokens: 0,
  maxTokens: undefined,
  runs: 0,
  contents: [],
  runTokens: [],
  session: 0,
  afterSeconds: undefined,
  continues: false,
  together: false,
})

/** Adds a run of shared text to a row. */
export function addRun(row: TraceRow, content: number, tokens: number): void {
  row.contents[row.runs] = content
  row.runTokens[row.runs] = tokens
  row.runs++
}

/** Rows made of one line, waiting to be taken; the objects are reused. */
export class RowQueue {
  private readonly rows: TraceRow[] = []
  private made = 0
  private taken = 0

  /** Rows not yet taken. */
  get waiting(): number {
    return this.made - this.taken
  }

  /** A blank row at the end, to be filled. */
  add(line: number): TraceRow {
    let row = this.rows[this.made]
    if (row === undefined) {
      row = blankRow()
      this.rows.push(row)
    }
    this.made++
    row.line = line
    row.hasTime = false
    row.maxTokens = undefined
    row.runs = 0
    row.session = 0
    row.afterSeconds = undefined
    row.continues = false
    return row
  }

  /** Takes the first one; the queue must not be empty. */
  take(): TraceRow {
    const row = this.rows[this.taken++]!
    row.together = this.taken < this.made
    return row
  }

  /** Keeps the waiting rows that `wanted` says yes to; returns how many it dropped. */
  keep(wanted: (row: TraceRow) => boolean): number {
    let kept = this.taken
    for (let i = this.taken; i < this.made; i++) {
      const row = this.rows[i]!
      if (!wanted(row)) continue
      this.rows[i] = this.rows[kept]!
      this.rows[kept++] = row
    }
    const dropped = this.made - kept
    this.made = kept
    return dropped
  }

  each(visit: (row: TraceRow) => void): void {
    for (let i = this.taken; i < this.made; i++) visit(this.rows[i]!)
  }

  /** Forgets what waits: the line turned out bad, or everything was taken. */
  clear(): void {
    this.made = 0
    this.taken = 0
  }
}
