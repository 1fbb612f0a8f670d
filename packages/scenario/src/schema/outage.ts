import { count, group, list, optional, quantity, withDefault } from './options.ts'

const outage = group(
  {
    replica: withDefault(
      count({ sentence: 'Which replica, from 0: those of all pools, in the order of the pools.', minimum: 0 }),
      0,
    ),
    atSeconds: quantity({
      sentence: 'Virtual time at which it fails.',
      unit: 'seconds',
      minimum: 0,
      maximum: 1e9,
      example: 60,
    }),
    downSeconds: quantity({
      sentence: 'How long it is away.',
      unit: 'seconds',
      minimum: 0,
      maximum: 1e9,
      example: 30,
    }),
  },
  { sentence: 'A replica that is away for a while.' },
)

/** Failures that are foreseen. */
export const outages = optional(
  list(outage, {
    sentence:
      'Replicas that fail and come back, in fleets without prefill and generate pools. One that fails loses all it held; its requests stay with it and start over, and new ones go elsewhere meanwhile.',
    example: [{ replica: 0, atSeconds: 60, downSeconds: 30 }],
  }),
)
