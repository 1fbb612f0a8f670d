import { group, quantity, text, withDefault } from './options.ts'

/** Requests of a recorded trace. */
export const trace = group(
  {
    file: text({ sentence: 'File to replay; relative to the scenario file.', example: 'trace.csv' }),
    rateScale: withDefault(
      quantity({ sentence: 'Arrivals come this many times as fast: intervals shrink, not timestamps.', above: 0 }),
      1,
    ),
  },
  { sentence: 'Requests of a recorded trace.' },
)
