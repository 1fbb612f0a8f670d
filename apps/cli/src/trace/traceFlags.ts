import type { TraceReaderOptions } from '@windtunnel/workload/traces/reader'
import * as Argument from 'effect/cli/Argument'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { CliFault } from '../fault.ts'

export const traceArgument = Argument.String('file').pipe(Argument.withDescription('A trace file; gzip is unpacked.'))

/** How a trace is read, as every verb on traces takes it. */
export const traceFlags = {
  format: Flag.String('format').pipe(
    Flag.withDescription('Format of the file (windtunnel list traces); recognised from its content without it.'),
    Flag.optional,
  ),
  option: Flag.String('option').pipe(
    Flag.withMetavar('NAME=VALUE'),
    Flag.withDescription('Option of the format, such as blockTokens=512 or timeUnit=milliseconds. May be repeated.'),
    Flag.atLeast(0),
  ),
  onBadRow: Flag.Literals('on-bad-row', ['error', 'skip']).pipe(
    Flag.withDescription('Whether a row that cannot be read is an error, or skipped and counted.'),
    Flag.withDefault('error' as const),
  ),
  zeroTokens: Flag.Literals('zero-tokens', ['error', 'skip', 'one']).pipe(
    Flag.withDescription('What 0 tokens in or out mean; without it what is usual for the format.'),
    Flag.optional,
  ),
  sort: Flag.Boolean('sort').pipe(
    Flag.withDescription('Sort the rows by time first; keeps the whole trace in memory.'),
    Flag.withDefault(false),
  ),
}

export interface TraceChoices {
  readonly file: string
  readonly format: Option.Option<string>
  readonly option: readonly string[]
  readonly onBadRow: 'error' | 'skip'
  readonly zeroTokens: Option.Option<'error' | 'skip' | 'one'>
  readonly sort: boolean
}

export function readerOptions(choices: TraceChoices): TraceReaderOptions {
  const formatOptions = Object.fromEntries(choices.option.map(assignment))
  const format = Option.getOrUndefined(choices.format)
  if (choices.option.length > 0 && format === undefined)
    throw new CliFault('--option belongs to a format: name it with --format (windtunnel list traces)')
  const zeroTokens = Option.getOrUndefined(choices.zeroTokens)
  return {
    onBadRow: choices.onBadRow,
    times: 'optional',
    order: choices.sort ? 'any' : 'error',
    ...(format === undefined ? {} : { format, formatOptions }),
    ...(zeroTokens === undefined ? {} : { zeroTokens }),
  }
}

function assignment(text: string): [string, unknown] {
  const at = text.indexOf('=')
  if (at <= 0) throw new CliFault(`--option ${text}: expected NAME=VALUE, such as blockTokens=512`)
  const value = text.slice(at + 1)
  return [text.slice(0, at), value !== '' && Number.isFinite(Number(value)) ? Number(value) : value]
}
