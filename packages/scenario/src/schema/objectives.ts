import { group, optional, quantity, table } from './options.ts'

const limit = (sentence: string) => optional(quantity({ sentence, unit: 'seconds', above: 0, example: 1 }))

/** The service level of one class of requests; a limit that is left out is not asked for. */
export const objective = group(
  {
    ttftSeconds: limit('Longest time from arrival to the first output token.'),
    itlSeconds: limit(
      'Longest gap between tokens at the 99th percentile of all gaps; it concerns gaps, not requests, and has no part in goodput.',
    ),
    tpotSeconds: limit('Longest mean time per output token after the first.'),
    e2eSeconds: limit('Longest time from arrival to the last token.'),
  },
  { sentence: 'The limits that a request of this class must meet to count as goodput.' },
)

/** Service classes by name; requests name their class by its position, the first when they name none. */
export const objectives = optional(
  table(objective, {
    sentence:
      'Service classes by name, with the limits that decide goodput; traffic is of the first class unless it says otherwise.',
    example: { default: { ttftSeconds: 1, tpotSeconds: 0.05 } },
  }),
)
