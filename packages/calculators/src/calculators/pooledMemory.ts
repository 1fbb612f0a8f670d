import { largestBatch } from '@windtunnel/cost/serving/capacity'
import { calculator } from '../calculator.ts'
import { capacity, workspace } from '../fields/card.ts'
import { bytes, count, degree, flag, quantity, ratio, tokens, withDefault } from '../fields/field.ts'

export const fitRequests = calculator({
  title: 'Requests that fit on pooled cards',
  section: 'Memory capacity',
  formula: 'floor((n (C - U) - W) / S), S = KV per token x tokens + fixed state',
  validity: 'Cards as one pool: no copies and no rounding per card, so more optimistic than (6-1).',
  example: { cards: 2, weights: 65524246528, kvPerToken: 262144, tokens: 131072 },
  input: {
    cards: degree('Cards.'),
    capacity,
    workspace,
    weights: quantity('B', 'All weights, once.', { above: 0 }),
    kvPerToken: bytes('KV of one token over all layers.'),
    tokens: tokens('Tokens of a request.'),
    fixedState: withDefault(bytes('State of a request whatever its length.'), 0),
  },
  output: {
    requests: count('Requests that fit.'),
    stateBytes: bytes('State of one request.'),
    freeBytes: quantity('B', 'Memory beside weights and workspaces; negative where the weights do not fit.'),
  },
  compute: (input) => {
    const stateBytes = input.kvPerToken * input.tokens + input.fixedState
    const memory = {
      chips: input.cards,
      hbmBytesPerChip: input.capacity - input.workspace,
      paramBytes: input.weights,
    }
    return {
      requests: largestBatch({ ...memory, kvBytesPerSequence: stateBytes }),
      stateBytes,
      freeBytes: memory.chips * memory.hbmBytesPerChip - memory.paramBytes,
    }
  },
})

export const paramStorage = calculator({
  title: 'Bytes of parameters against a capacity',
  section: 'Memory capacity',
  formula: 'params x bytes of one <= capacity',
  validity: 'First check only: no scales, KV or workspace.',
  example: { params: 1.6e12, bytesPerParam: 0.5 },
  input: {
    params: quantity('parameter', 'Parameters.', { above: 0 }),
    bytesPerParam: quantity('B', 'Bytes of one; 0.5 for 4 bits.', { above: 0 }),
    capacity: withDefault(quantity('B', 'Memory of the server.', { above: 0 }), 640e9),
  },
  output: {
    bytes: bytes('All parameters.'),
    fits: flag('Whether they are at most the capacity.'),
    share: ratio('Of the capacity.'),
  },
  compute: (input) => {
    const all = input.params * input.bytesPerParam
    return { bytes: all, fits: all <= input.capacity, share: all / input.capacity }
  },
})
