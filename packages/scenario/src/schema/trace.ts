import { traceFormats } from '@windtunnel/workload/traces/formats/index'
import { choice, flag, group, type Option, optional, quantity, text, variant, withDefault } from './options.ts'
import type { PartOptions } from './parts.ts'

/** The formats of trace files with their options; `auto` tells them apart by their content. */
function format(parts: PartOptions) {
  const cases: Record<string, Option> = { auto: group({}, { sentence: 'Recognised from the content.' }) }
  for (const one of Object.values(traceFormats)) cases[one.name] = parts.group(one.options, { sentence: one.sentence })
  return withDefault(variant('name', cases, { sentence: 'Format of the file, with its options.' }), { name: 'auto' })
}

/** Requests of a recorded trace. */
export const traceOption = (parts: PartOptions) =>
  group(
    {
      file: text({ sentence: 'File to replay; relative to the scenario file.', example: 'trace.csv' }),
      format: format(parts),
      rateScale: withDefault(
        quantity({
          sentence: 'Arrivals come this many times as fast: intervals shrink, not timestamps.',
          above: 0,
          maximum: 1e9,
        }),
        1,
      ),
      startSeconds: withDefault(
        quantity({ sentence: 'Virtual time of the first row.', unit: 'seconds', minimum: 0, maximum: 1e9 }),
        0,
      ),
      arrivals: optional(
        parts.part('arrivals', {
          sentence: 'Arrivals of another kind in place of the recorded times; rows are taken in the order of the file.',
        }),
      ),
      sort: withDefault(
        flag({ sentence: 'Sort the rows by time first, which keeps the whole trace in memory.' }),
        false,
      ),
      onBadRow: withDefault(
        choice(['error', 'skip'], {
          sentence: 'Whether a row that cannot be read ends the run, or is skipped and counted.',
        }),
        'error',
      ),
      zeroTokens: optional(
        choice(['error', 'skip', 'one'], {
          sentence:
            'What 0 tokens in or out mean: an error, a row to leave out, or one token; without it what is usual for the format.',
          example: 'skip',
        }),
      ),
      serviceClass: optional(
        text({
          sentence: 'Service class of the requests: a name from objectives; without it the first.',
          example: 'default',
        }),
      ),
    },
    { sentence: 'Requests of a recorded trace.' },
  )
