import type { Options, OptionValues } from '../parts/option.ts'
import { resolveOptions } from '../parts/resolve.ts'
import type { RowQueue } from './row.ts'

/** The beginning of a trace, from which its format is recognised. */
export interface TraceHead {
  /** First line that is not blank. */
  readonly firstLine: string
  /** The first line as JSON, when it is a JSON object. */
  readonly json: Readonly<Record<string, unknown>> | undefined
  /** Up to 64 Ki characters from the start. */
  readonly text: string
}

/** Turns lines into rows. `line` throws a TraceError for a bad line. */
export interface LineParser {
  line(text: string, line: number, rows: RowQueue): void
}

/** Turns a whole document into rows; for formats whose rows cannot be told apart by lines. Its text is held in memory. */
export interface DocumentParser {
  document(text: string, rows: RowQueue): void
}

/** What a zero in a length means: an error, a row to leave out (and count), or one token. */
export type ZeroTokens = 'error' | 'skip' | 'one'

export interface TraceFormat<Name extends string = string> {
  readonly name: Name
  readonly sentence: string
  readonly options: Options
  /** Field that holds a row's time; undefined when rows of this format have none. */
  readonly timeField: string | undefined
  readonly zeroTokens: ZeroTokens
  recognises(head: TraceHead): boolean
  open(given: unknown): LineParser | DocumentParser
}

/** Registers a format; its options are checked when a trace is opened. */
export function defineFormat<const Name extends string, const O extends Options>(format: {
  readonly name: Name
  readonly sentence: string
  readonly options: O
  readonly timeField: string | undefined
  readonly zeroTokens?: ZeroTokens
  recognises(head: TraceHead): boolean
  open(values: OptionValues<O>): LineParser | DocumentParser
}): TraceFormat<Name> {
  return {
    name: format.name,
    sentence: format.sentence,
    options: format.options,
    timeField: format.timeField,
    zeroTokens: format.zeroTokens ?? 'error',
    recognises: format.recognises,
    open: (given) => format.open(resolveOptions(`${format.name} trace`, format.options, given)),
  }
}
