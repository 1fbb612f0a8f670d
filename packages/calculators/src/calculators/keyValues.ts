import { keyValueBytesPerToken } from '@windtunnel/cost/deployment/tensorBytes'
import { calculator } from '../calculator.ts'
import { elementBytes } from '../fields/card.ts'
import { bytes, count, degree, quantity, tokens, withDefault } from '../fields/field.ts'

const perTokenAndAll = {
  bytesPerToken: bytes('KV of one token over all layers.'),
  bytes: bytes('KV of all tokens.'),
}

export const kvBytes = calculator({
  title: 'KV cache of grouped attention',
  section: 'Memory capacity',
  formula: '2 L kv d b per token',
  validity: 'L counts layers with full attention only; windows and linear attention keep no such KV.',
  example: { layers: 64, kvHeads: 8, headDim: 128, tokens: 131072 },
  input: {
    layers: degree('Layers that keep KV.'),
    kvHeads: degree('KV heads.'),
    headDim: degree('Elements of one head.'),
    dtypeBytes: elementBytes,
    tokens: withDefault(tokens('Tokens kept.'), 1),
  },
  output: perTokenAndAll,
  compute: (input) => {
    const bytesPerToken = keyValueBytesPerToken(input, input.dtypeBytes)
    return { bytesPerToken, bytes: bytesPerToken * input.tokens }
  },
})

export const latentKvBytes = calculator({
  title: 'KV cache of latent attention (MLA)',
  section: 'Memory capacity',
  formula: 'L (rank + rope) b per token, without a factor of heads',
  validity: 'One latent vector and one rotary key per token and layer.',
  example: { layers: 61, kvLoraRank: 512, ropeDim: 64, tokens: 8192 },
  input: {
    layers: degree('Layers.'),
    kvLoraRank: degree('Rank of the latent.', { also: ['rank', 'latent_rank'] }),
    ropeDim: count('Elements of the rotary key.'),
    dtypeBytes: elementBytes,
    tokens: withDefault(tokens('Tokens kept.'), 1),
  },
  output: perTokenAndAll,
  compute: (input) => {
    const bytesPerToken = input.layers * (input.kvLoraRank + input.ropeDim) * input.dtypeBytes
    return { bytesPerToken, bytes: bytesPerToken * input.tokens }
  },
})

export const linearAttentionState = calculator({
  title: 'Fixed state of linear attention',
  section: 'Memory capacity',
  formula: 'recurrent: L Hv dk dv b; convolution: L (2 Hk dk + Hv dv) taps b',
  validity: 'Of one request, whatever its context. As many taps are stored as the kernel is long.',
  example: { layers: 30, vHeads: 32, kHeads: 16, kDim: 128, vDim: 128 },
  input: {
    layers: degree('Layers with linear attention.'),
    vHeads: degree('Value heads.'),
    kHeads: degree('Key heads.'),
    kDim: degree('Elements of a key head.'),
    vDim: degree('Elements of a value head.'),
    stateBytes: withDefault(quantity('B', 'Bytes of one element of the state; 4 for FP32.', { above: 0 }), 4),
    convKernel: withDefault(count('Taps of the convolution.'), 4),
    convBytes: withDefault(quantity('B', 'Bytes of one tap; 2 for BF16.', { above: 0 }), 2),
  },
  output: {
    recurrentBytes: bytes('Recurrent state.'),
    convBytes: bytes('Convolution state.'),
    bytes: bytes('Both.', { also: ['total_bytes'] }),
  },
  compute: (input) => {
    const recurrentBytes = input.layers * input.vHeads * input.kDim * input.vDim * input.stateBytes
    const channels = 2 * input.kHeads * input.kDim + input.vHeads * input.vDim
    const convBytes = input.layers * channels * input.convKernel * input.convBytes
    return { recurrentBytes, convBytes, bytes: recurrentBytes + convBytes }
  },
})
