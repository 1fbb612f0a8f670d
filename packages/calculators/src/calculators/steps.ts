import { kvWays } from '@windtunnel/cost/deployment/cardMemory'
import { keyValueBytesPerToken, readByOneToken, tensorBytes } from '@windtunnel/cost/deployment/tensorBytes'
import { mathSeconds, moveSeconds, timeBounds } from '@windtunnel/cost/rooflines/time'
import { expertsTouched } from '@windtunnel/cost/step/expertsTouched'
import { calculator } from '../calculator.ts'
import { elementBytes, hbm, peak, tp } from '../fields/card.ts'
import { bytes, count, degree, flag, quantity, ratio, seconds, tokens, withDefault } from '../fields/field.ts'
import { shapeModel, uniformModel } from '../fields/models.ts'
import { kvSplit } from '../fields/stepInput.ts'

const flops = (sentence: string) => quantity('FLOP', sentence, { minimum: 0 })

export const roofline = calculator({
  title: 'Time of an operator under its roofline',
  section: 'Operators and steps',
  formula: '(6-2) T = max(F / P, V / B)',
  validity:
    'Computing and access overlap inside one operator; operators that depend on each other add. Peaks, no efficiency.',
  example: { flops: 301989888, bytes: 301989888 },
  input: { flops: flops('F, operations.'), bytes: bytes('V, bytes read and written.'), peak, bandwidth: hbm },
  output: {
    timeSeconds: seconds('The longer of both.'),
    computeSeconds: seconds('Computing.'),
    memorySeconds: seconds('Reading and writing.'),
    memoryBound: flag('Whether reading and writing takes longer.'),
    mfuBound: ratio('Computing over the time: the most of the peak it can use.', { also: ['mfu'] }),
    intensity: quantity('FLOP/B', 'Operations per byte.'),
  },
  compute: (input) => {
    const bounds = timeBounds(mathSeconds(input.flops, input.peak), moveSeconds(input.bytes, input.bandwidth))
    return {
      timeSeconds: bounds.lowerSeconds,
      computeSeconds: bounds.mathSeconds,
      memorySeconds: bounds.moveSeconds,
      memoryBound: bounds.bound === 'memory',
      mfuBound: bounds.lowerSeconds === 0 ? 0 : bounds.mathSeconds / bounds.lowerSeconds,
      intensity: input.bytes === 0 ? 0 : input.flops / input.bytes,
    }
  },
})

export const expertLayer = calculator({
  title: 'One layer of experts',
  section: 'Operators and steps',
  formula: '(6-2) with F = m k 6 h f and V = active x 3 h f b; active from (6-8)',
  validity: 'Weights of each expert touched are read once a batch; uniform independent routing; activations left out.',
  example: { hidden: 4096, expertFfn: 1536, experts: 128, topK: 8, tokens: 64 },
  input: {
    hidden: degree('Hidden size.'),
    expertFfn: degree('Width of one gated expert.'),
    experts: degree('Experts of the layer.'),
    topK: degree('Experts that one token visits.'),
    weightBytes: elementBytes,
    peak,
    bandwidth: hbm,
    tokens: tokens('Tokens of the batch.'),
  },
  output: {
    active: ratio('Experts that at least one token visits, expected.'),
    readBytes: bytes('Weights read.'),
    memorySeconds: seconds('Reading them.'),
    flops: flops('Operations.'),
    computeSeconds: seconds('Computing.'),
    timeSeconds: seconds('The longer of both.'),
    memoryBound: flag('Whether reading takes longer.'),
    mfuBound: ratio('Computing over the time.'),
  },
  compute: (input) => {
    const active = expertsTouched(input.experts, input.topK, input.tokens)
    const readBytes = active * 3 * input.hidden * input.expertFfn * input.weightBytes
    const work = input.tokens * input.topK * 6 * input.hidden * input.expertFfn
    const bounds = timeBounds(mathSeconds(work, input.peak), moveSeconds(readBytes, input.bandwidth))
    return {
      active,
      readBytes,
      memorySeconds: bounds.moveSeconds,
      flops: work,
      computeSeconds: bounds.mathSeconds,
      timeSeconds: bounds.lowerSeconds,
      memoryBound: bounds.bound === 'memory',
      mfuBound: bounds.lowerSeconds === 0 ? 0 : bounds.mathSeconds / bounds.lowerSeconds,
    }
  },
})

export const expectedActiveExperts = calculator({
  title: 'Experts that a batch touches',
  section: 'Experts',
  formula: '(6-8) E (1 - (1 - k/E)^m)',
  validity: 'Independent uniform routing, k different experts a token.',
  example: { experts: 128, topK: 8, tokens: 64 },
  input: {
    experts: degree('Experts of the layer.'),
    topK: degree('Experts that one token visits.'),
    tokens: tokens('Tokens of the batch.'),
    expertBytes: withDefault(bytes('One expert.'), 0),
  },
  output: {
    active: ratio('Experts that at least one token visits, expected.'),
    bytes: bytes('Weights of those.'),
    coverage: ratio('Of all experts.'),
    tokensPerActive: ratio('Rows that a touched expert computes, on average.'),
  },
  compute: (input) => {
    const active = expertsTouched(input.experts, input.topK, input.tokens)
    return {
      active,
      bytes: active * input.expertBytes,
      coverage: active / input.experts,
      tokensPerActive: active === 0 ? 0 : (input.tokens * input.topK) / active,
    }
  },
})

export const moeDecodeStep = calculator({
  title: 'Decode step of one session',
  section: 'Operators and steps',
  formula: '(W_read / tp + KV / min(tp, KV heads)) / B',
  validity:
    'Batch 1, bound by memory, no communication. Weights divide evenly, without the copies that (6-1) counts. Embedding row left out.',
  example: { model: 'qwen3-235b-a22b', tokens: 8192, tp: 8 },
  input: {
    model: shapeModel,
    tokens: tokens('Tokens in the cache.'),
    tp: withDefault(tp, 1),
    bandwidth: hbm,
    kvBytes: withDefault(quantity('B', 'Bytes of one KV element; 2 for BF16.', { above: 0 }), 2),
    kvSplit,
  },
  output: {
    weightRead: bytes('Weights read by all cards: chosen experts, everything else but the embedding.', {
      also: ['weight_bytes', 'weight_read_bytes', 'weights'],
    }),
    kvRead: bytes('KV read, one copy.', { also: ['kv_bytes', 'kv_read_bytes', 'kv'] }),
    perCardRead: bytes('Read by one card.'),
    timeSeconds: seconds('The step.'),
  },
  compute: (input) => {
    const model = uniformModel(input.model)
    const weightRead = readByOneToken(model, tensorBytes(model))
    const kvRead = keyValueBytesPerToken(model, input.kvBytes) * input.tokens
    const perCardRead = weightRead / input.tp + kvRead / kvWays(input.tp, model.kvHeads, input.kvSplit)
    return { weightRead, kvRead, perCardRead, timeSeconds: moveSeconds(perCardRead, input.bandwidth) }
  },
})

export const batchDecodeRead = calculator({
  title: 'What a decode batch reads',
  section: 'Operators and steps',
  formula: 'weights: dense + layers x active x expert; state: batch (KV x tokens + fixed); each over B',
  validity: 'State grows with batch and context, weights saturate once all experts are touched.',
  example: { denseBytes: 68.3e9, batch: 64, kvPerToken: 20480, tokens: 32768, fixedState: 64880640 },
  input: {
    denseBytes: bytes('Weights that every step reads.'),
    expertBytes: withDefault(bytes('One expert.'), 0),
    activeExperts: withDefault(ratio('Experts touched in each layer.', { minimum: 0 }), 0),
    moeLayers: withDefault(count('Layers with experts.'), 0),
    batch: degree('Sequences of the batch.'),
    kvPerToken: bytes('KV of one token over all layers.'),
    tokens: tokens('Context of each sequence.'),
    fixedState: withDefault(bytes('State of a sequence whatever its length.'), 0),
    bandwidth: hbm,
  },
  output: {
    weightBytes: bytes('Weights read.'),
    stateBytes: bytes('KV and state read.'),
    weightSeconds: seconds('Reading the weights.'),
    stateSeconds: seconds('Reading KV and state.'),
    timeSeconds: seconds('Both.', { also: ['total_s'] }),
  },
  compute: (input) => {
    const weightBytes = input.denseBytes + input.expertBytes * input.activeExperts * input.moeLayers
    const stateBytes = input.batch * (input.kvPerToken * input.tokens + input.fixedState)
    const weightSeconds = moveSeconds(weightBytes, input.bandwidth)
    const stateSeconds = moveSeconds(stateBytes, input.bandwidth)
    return { weightBytes, stateBytes, weightSeconds, stateSeconds, timeSeconds: weightSeconds + stateSeconds }
  },
})

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
