import { count, group, optional, quantity, withDefault } from './options.ts'

/** When a run stops, and what of it is measured. */
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
      warmUpSeconds: optional(
        quantity({
          sentence:
            'Virtual time before which nothing is measured: figures are about the requests that arrive afterwards. It changes what is counted, never what happens.',
          unit: 'seconds',
          minimum: 0,
          maximum: 1e9,
          example: 60,
        }),
      ),
      coolDownSeconds: optional(
        quantity({
          sentence:
            'Virtual time before the end of the run from which on nothing is measured; it needs durationSeconds.',
          unit: 'seconds',
          minimum: 0,
          maximum: 1e9,
          example: 30,
        }),
      ),
    },
    {
      sentence:
        'When the run stops, and what of it is measured. Traffic without an end of its own needs durationSeconds or maxRequests.',
    },
  ),
  {},
)
