import { count, group, list, optional, quantity, withDefault } from './options.ts'

const straggler = group(
  {
    replica: withDefault(
      count({ sentence: 'Which replica, from 0: those of all pools, in the order of the pools.', minimum: 0 }),
      0,
    ),
    fromSeconds: quantity({
      sentence: 'Virtual time from which its steps take longer.',
      unit: 'seconds',
      minimum: 0,
      maximum: 1e9,
      example: 60,
    }),
    untilSeconds: quantity({
      sentence: 'Virtual time from which they do no longer.',
      unit: 'seconds',
      above: 0,
      maximum: 1e9,
      example: 120,
    }),
    factor: withDefault(
      quantity({
        sentence:
          'By which the time of every step composed meanwhile is multiplied; the largest where several overlap.',
        above: 0,
        maximum: 1e6,
      }),
      2,
    ),
  },
  { sentence: 'A replica that is slow for a while.' },
)

/** Replicas that are slow for a while. */
export const stragglers = optional(
  list(straggler, {
    sentence: 'Replicas that are slow for a while: a throttled accelerator, a neighbour on the same host.',
    example: [{ replica: 0, fromSeconds: 60, untilSeconds: 120, factor: 2 }],
  }),
)
