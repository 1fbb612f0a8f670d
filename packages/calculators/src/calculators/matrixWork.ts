import { mathSeconds } from '@windtunnel/cost/rooflines/time'
import { calculator } from '../calculator.ts'
import { peak, tp } from '../fields/card.ts'
import { count, degree, flops, quantity, seconds, tokens, withDefault } from '../fields/field.ts'

const attentionFlops = (layers: number, heads: number, dim: number, context: number) =>
  4 * layers * heads * dim * context

export const batchMatmulFlops = calculator({
  title: 'Matrix work of a decode batch',
  section: 'Operators and steps',
  formula: 'B (2 P + 4 L H d s)',
  validity: 'Attention over the whole context included; softmax and norms left out.',
  example: { batch: 64, activeMatrixParams: 31983534080, attnLayers: 64, qHeads: 64, headDim: 128, tokens: 32768 },
  input: {
    batch: degree('Sequences of the batch.'),
    activeMatrixParams: quantity('parameter', 'Parameters of the matrices that one token uses.', { minimum: 0 }),
    attnLayers: count('Layers with full attention.', { also: ['layers'] }),
    qHeads: degree('Query heads.'),
    headDim: degree('Elements of one head.'),
    tokens: tokens('Context of each sequence.', { also: ['context'] }),
    peak,
  },
  output: {
    flops: flops('Operations of one step.'),
    attentionFlops: flops('Those of attention over the context.'),
    timeSeconds: seconds('At the peak.'),
  },
  compute: (input) => {
    const attention = input.batch * attentionFlops(input.attnLayers, input.qHeads, input.headDim, input.tokens)
    const all = input.batch * 2 * input.activeMatrixParams + attention
    return { flops: all, attentionFlops: attention, timeSeconds: mathSeconds(all, input.peak) }
  },
})

export const tpFlops = calculator({
  title: 'Matrix work of one decode step',
  section: 'Operators and steps',
  formula: '(2 P + 4 L H d (s+1)) / P_peak',
  validity: 'One session. Compare with the time to read the weights.',
  example: { matrixParams: 31983534080, layers: 64, qHeads: 64, headDim: 128, context: 131064 },
  input: {
    matrixParams: quantity('parameter', 'Parameters of the matrices that a token uses.', { minimum: 0 }),
    layers: degree('Layers.'),
    qHeads: degree('Query heads.'),
    headDim: degree('Elements of one head.'),
    context: tokens('Tokens in the cache before the step.'),
    peak,
    tp: withDefault(tp, 1),
  },
  output: {
    flops: flops('Operations of the step.'),
    timeSeconds: seconds('At the peak of all cards.'),
  },
  compute: (input) => {
    const all = 2 * input.matrixParams + attentionFlops(input.layers, input.qHeads, input.headDim, input.context + 1)
    return { flops: all, timeSeconds: mathSeconds(all, input.peak * input.tp) }
  },
})
