import { count, group, optional, quantity, withDefault } from './options.ts'

/** When a run stops. */
export const run = withDefault(
  group(
    {
      durationSeconds: optional(
        quantity({
          sentence:
            'Virtual time at which the run stops; requests still inside are counted as unfinished. Without it the run ends when the traffic does.',
          unit: 'seconds',
          above: 0,
          maximum: 1e9,
          example: 600,
        }),
      ),
      maxRequests: optional(
        count({
          sentence: 'The traffic stops after this many arrivals.',
          unit: 'requests',
          minimum: 1,
          example: 20000,
        }),
      ),
    },
    { sentence: 'When the run stops. Traffic without an end of its own needs one of the two.' },
  ),
  {},
)
