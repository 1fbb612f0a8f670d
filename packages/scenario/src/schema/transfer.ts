import { choice, group, optional, quantity, withDefault } from './options.ts'

/** How KV caches travel from prefill to generate replicas. */
export const transfer = withDefault(
  group(
    {
      bytesPerSecond: withDefault(
        quantity({
          sentence: 'Bandwidth out of one prefill replica.',
          unit: 'bytes per second',
          above: 0,
        }),
        50e9,
      ),
      ingressBytesPerSecond: optional(
        quantity({
          sentence:
            'Bandwidth into one generate replica, with fair sharing; without it the same as out of a prefill replica.',
          unit: 'bytes per second',
          above: 0,
          example: 50e9,
        }),
      ),
      spineBytesPerSecond: optional(
        quantity({
          sentence: 'Bandwidth of the network that all transfers share, with fair sharing; without it no limit.',
          unit: 'bytes per second',
          above: 0,
          example: 200e9,
        }),
      ),
      latencySeconds: withDefault(
        quantity({ sentence: 'Delay before the first byte of a transfer arrives.', unit: 'seconds', minimum: 0 }),
        1e-5,
      ),
      sharing: withDefault(
        choice(['fair', 'serial'], {
          sentence:
            'Whether the caches that travel at one time share links max-min fairly, or each prefill replica sends one after another.',
        }),
        'fair',
      ),
      overlap: withDefault(
        choice(['whole', 'layers'], {
          sentence:
            'Whether a cache travels when the prompt is complete, or layer by layer while it is computed (fair sharing only).',
        }),
        'whole',
      ),
      firstToken: withDefault(
        choice(['prefill', 'generate'], {
          sentence:
            'Which side emits the first token: the prefill side before the transfer, or the generate side with its first step.',
        }),
        'prefill',
      ),
    },
    { sentence: 'How KV caches travel from prefill to generate replicas; of use in disaggregated layouts only.' },
  ),
  {},
)
