import { group, quantity, withDefault } from './options.ts'

/** How KV caches travel from prefill to generate replicas. */
export const transfer = withDefault(
  group(
    {
      bytesPerSecond: withDefault(
        quantity({
          sentence: 'Bandwidth of the link of one prefill replica; it carries one cache at a time.',
          unit: 'bytes per second',
          above: 0,
        }),
        50e9,
      ),
      latencySeconds: withDefault(
        quantity({ sentence: 'Delay before the first byte of a transfer arrives.', unit: 'seconds', minimum: 0 }),
        1e-5,
      ),
    },
    { sentence: 'How KV caches travel from prefill to generate replicas; of use in disaggregated layouts only.' },
  ),
  {},
)
