import { SECONDS_PER_TICK, type Time } from '@windtunnel/des'
import { TraceError } from './errors.ts'
import type { TraceRow } from './row.ts'

/** Turns rows into the lines of a trace file. Lines come without their end. */
export interface TraceWriter {
  /** The first line; undefined when the format has none. */
  readonly header: string | undefined
  /** `origin` is the time that the file counts from, usually that of the first row. Throws a TraceError when the format cannot say it. */
  line(row: TraceRow, origin: Readonly<Time>): string
}

/** Seconds from `origin`, as short as they are exact. */
const secondsOf = (row: TraceRow, origin: Readonly<Time>): number =>
  row.time.seconds - origin.seconds + (row.time.ticks - origin.ticks) * SECONDS_PER_TICK

function needTime(format: string, row: TraceRow): void {
  if (!row.hasTime) throw new TraceError(format, { line: row.line }, 'a row with a time of its own', 'one without')
}

const windtunnelCsv: TraceWriter = {
  header: 'arrival_s,input_tokens,output_tokens,max_tokens,session,after_s',
  line: (row, origin) => {
    const time = row.hasTime ? secondsOf(row, origin) : ''
    const session = row.session > 0 ? row.session : ''
    return `${time},${row.inputTokens},${row.outputTokens},${row.maxTokens ?? ''},${session},${row.afterSeconds ?? ''}`
  },
}

const windtunnelJsonl: TraceWriter = {
  header: undefined,
  line: (row, origin) =>
    JSON.stringify({
      ...(row.hasTime ? { arrivalSeconds: secondsOf(row, origin) } : {}),
      inputTokens: row.inputTokens,
      outputTokens: row.outputTokens,
      ...(row.maxTokens === undefined ? {} : { maxTokens: row.maxTokens }),
      ...(row.session > 0 ? { session: row.session } : {}),
      ...(row.afterSeconds === undefined ? {} : { afterSeconds: row.afterSeconds }),
      ...(row.continues ? { continues: true } : {}),
      ...(row.runs > 0
        ? { prefix: Array.from({ length: row.runs }, (_, i) => [row.contents[i], row.runTokens[i]]) }
        : {}),
    }),
}

/** Tokens of all blocks but the last, which must be alike. */
function blockTokensOf(row: TraceRow): number {
  const size = row.runTokens[0] ?? 0
  for (let i = 0; i < row.runs - 1; i++) {
    if (row.runTokens[i] !== size)
      throw new TraceError(
        'mooncake',
        { line: row.line },
        'blocks of one size',
        `one of ${row.runTokens[i]} after ${size}`,
      )
  }
  return size
}

const mooncake: TraceWriter = {
  header: undefined,
  line: (row, origin) => {
    needTime('mooncake', row)
    blockTokensOf(row)
    return JSON.stringify({
      timestamp: Math.round(secondsOf(row, origin) * 1000),
      input_length: row.inputTokens,
      output_length: row.outputTokens,
      ...(row.runs > 0 ? { hash_ids: row.contents.slice(0, row.runs) } : {}),
      ...(row.session > 0 ? { session_id: row.session } : {}),
    })
  },
}

const vidur: TraceWriter = {
  header: 'arrived_at,num_prefill_tokens,num_decode_tokens',
  line: (row, origin) => {
    needTime('vidur', row)
    return `${secondsOf(row, origin)},${row.inputTokens},${row.outputTokens}`
  },
}

/** The formats that traces can be converted to. Only our JSONL keeps everything. */
export const traceWriters = { windtunnelCsv, windtunnelJsonl, mooncake, vidur } as const
export type TraceWriterName = keyof typeof traceWriters
