import { stepDtypeNames } from '@windtunnel/cost/step/dtypes'
import { choice, group, optional, withDefault } from './options.ts'

/** Number formats of one replica. */
export const dtypes = group(
  {
    weights: withDefault(choice(stepDtypeNames, { sentence: 'Format in which the weights lie in memory.' }), 'bf16'),
    activations: optional(
      choice(stepDtypeNames, {
        sentence:
          'Format in which the matrix multiplications run; without it the format of the weights, or bf16 where hardware does not multiply in that.',
        example: 'bf16',
      }),
    ),
    kv: withDefault(choice(stepDtypeNames, { sentence: 'Format of the KV cache.' }), 'bf16'),
  },
  { sentence: 'Number formats of weights, activations and KV cache.' },
)
