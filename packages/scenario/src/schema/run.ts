import { count, group, optional, quantity, withDefault } from './options.ts'

/** When a run stops, and what is left out of its figures. */
export const run = group(
  {
    durationSeconds: optional(
      quantity({
        sentence:
          'Virtual time at which the run stops; requests still inside are counted as unfinished. Without it the run ends when the traffic does.',
        unit: 'seconds',
        above: 0,
        example: 600,
      }),
    ),
    maxRequests: optional(
      count({ sentence: 'Stop the traffic after this many arrivals.', unit: 'requests', minimum: 1, example: 20000 }),
    ),
    warmUpSeconds: withDefault(
      quantity({
        sentence: 'Requests that arrive before this time are simulated but left out of the figures.',
        unit: 'seconds',
        minimum: 0,
      }),
      0,
    ),
    coolDownSeconds: withDefault(
      quantity({
        sentence: 'Requests that arrive within this time of the end of the run are left out of the figures.',
        unit: 'seconds',
        minimum: 0,
      }),
      0,
    ),
  },
  { sentence: 'When the run stops, and what is left out of its figures.' },
)
