import { cardMemory, kvBytesOfCard, weightBytesOfCard } from '@windtunnel/cost/deployment/cardMemory'
import { keyValueBytesPerToken, tensorBytes } from '@windtunnel/cost/deployment/tensorBytes'
import { largestBatch } from '@windtunnel/cost/serving/capacity'
import { calculator } from '../calculator.ts'
import { capacity, elementBytes, tp, workspace } from '../fields/card.ts'
import { bytes, count, degree, flag, quantity, ratio, tokens, withDefault } from '../fields/field.ts'
import { shapeFields, shapeModel, uniformModel } from '../fields/models.ts'
import { kvSplit, replicateKvProj } from '../fields/stepInput.ts'

export const tpCardMemory = calculator({
  title: 'Memory of one card of a tensor-parallel group',
  section: 'Memory capacity',
  formula:
    '(6-1) W + K + A + U <= C; matrices / tp, norms and routers on every card, KV and its projections / min(tp, KV heads)',
  validity: 'Activations are part of the workspace. Layers alike, no pipeline.',
  example: { model: 'qwen3-235b-a22b', tp: 8, tokens: 8192 },
  input: {
    model: withDefault(shapeModel, 'qwen3-32b'),
    tp,
    tokens: tokens('Tokens that each session keeps in the cache.', { minimum: 1 }),
    sessions: withDefault(count('Sessions kept at once.'), 1),
    workspace,
    capacity,
    kvBytes: withDefault(quantity('B', 'Bytes of one KV element; 2 for BF16.', { above: 0 }), 2),
    kvSplit,
    replicateKvProj: withDefault(replicateKvProj, true),
    evenSplit: withDefault(flag('Divide all weights and KV by tp, with no copies at all.'), false),
  },
  output: {
    weightsPerCard: bytes('Weights on one card.'),
    kvPerCard: bytes('KV of all sessions on one card.'),
    perCard: bytes('Weights, KV and workspace.', { also: ['total', 'total_per_card', 'per_card_bytes'] }),
    fits: flag('Whether that is at most the capacity.'),
    maxSessions: count('Sessions of that length that fit.'),
    kvPerSession: bytes('KV of one session on one card.'),
    free: quantity('B', 'Capacity left; negative where it does not fit.'),
    allCards: bytes('Weights, KV and workspace of the whole group.', { also: ['total_all_cards'] }),
  },
  compute: (input) => {
    const model = uniformModel(input.model)
    const { evenSplit } = input
    const copies = { kvProjections: input.replicateKvProj && !evenSplit, normsAndRouters: !evenSplit }
    const found = cardMemory({
      weightBytes: weightBytesOfCard(model, { tp: input.tp, ep: 1 }, copies),
      kvBytesPerSession: kvBytesOfCard(model, {
        tokens: input.tokens,
        tp: input.tp,
        kvElementBytes: input.kvBytes,
        split: evenSplit ? 'even' : input.kvSplit,
      }),
      sessions: input.sessions,
      workspaceBytes: input.workspace,
      capacityBytes: input.capacity,
    })
    return {
      weightsPerCard: found.weightBytes,
      kvPerCard: found.kvBytes,
      perCard: found.totalBytes,
      fits: found.fits,
      maxSessions: found.maxSessions,
      kvPerSession: found.kvBytesPerSession,
      free: input.capacity - found.totalBytes,
      allCards: input.tp * found.totalBytes,
    }
  },
})

export const modelWeights = calculator({
  title: 'Bytes of the weights of a model',
  section: 'Memory capacity',
  formula:
    'sum of L (2 h q d + 2 h kv d + 3 h f, or E experts of 3 h f and a router h E, norms) + embedding + output head, times bytes of a weight',
  validity: 'Layers alike, gated feed-forward, no biases. Matrices of a layer leave out norms and routers.',
  example: { layers: 64, hidden: 5120, qHeads: 64, kvHeads: 8, headDim: 128, ffn: 25600, vocab: 151936 },
  input: shapeFields,
  output: {
    weightBytes: bytes('All weights.', { also: ['total_bytes', 'total'] }),
    params: count('Parameters.', { also: ['parameters'] }),
    matrixBytesPerLayer: bytes('Attention and feed-forward (or expert) matrices of one layer.', {
      also: ['layer_bytes'],
    }),
    attentionBytesPerLayer: bytes('Projections of one layer.'),
    ffnBytesPerLayer: bytes('Dense feed-forward of one layer.'),
    expertBytes: bytes('One expert.'),
    expertsBytesPerLayer: bytes('All experts of one layer.'),
    expertsBytesTotal: bytes('All experts.'),
    routerBytesPerLayer: bytes('Router of one layer.'),
    nonExpertBytes: bytes('Everything but the experts.'),
    normBytes: bytes('All norms.'),
    embeddingBytes: bytes('Embedding.'),
    lmHeadBytes: bytes('Output head.'),
  },
  compute: (input) => {
    const model = uniformModel(input)
    const all = tensorBytes(model)
    const { layers, weightBytes } = model
    const attention = (all.queryAndOutput + all.keyAndValue) / layers
    return {
      weightBytes: all.total,
      params: all.total / weightBytes,
      matrixBytesPerLayer: attention + (all.feedForward + all.experts) / layers,
      attentionBytesPerLayer: attention,
      ffnBytesPerLayer: all.feedForward / layers,
      expertBytes: all.oneExpert,
      expertsBytesPerLayer: all.experts / layers,
      expertsBytesTotal: all.experts,
      routerBytesPerLayer: all.routers / layers,
      nonExpertBytes: all.total - all.experts,
      normBytes: all.norms,
      embeddingBytes: all.embedding,
      lmHeadBytes: all.outputHead,
    }
  },
})

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

export const tpEpMemory = calculator({
  title: 'Memory of tensor and expert parallelism with copied attention',
  section: 'Memory capacity',
  formula:
    'per card: experts / (tp ep) + other matrices / tp + norms and routers; KV / min(tp, KV heads), held ep times',
  validity: 'Every expert group computes attention for all tokens, so nothing need be dispatched.',
  example: { model: 'qwen3-235b-a22b', tp: 2, ep: 4, tokens: 8192 },
  input: {
    model: shapeModel,
    tp,
    ep: degree('Expert groups.'),
    tokens: withDefault(tokens('Tokens in the cache.'), 0),
    kvBytes: withDefault(quantity('B', 'Bytes of one KV element; 2 for BF16.', { above: 0 }), 2),
    kvSplit,
    replicateKvProj: withDefault(replicateKvProj, true),
  },
  output: {
    perCard: bytes('Weights on one card.', { also: ['weights_per_card'] }),
    allCards: bytes('Weights on all cards.', { also: ['total'] }),
    extra: bytes('Weights beyond one copy of the model.', { also: ['excess'] }),
    kvPerCard: bytes('KV on one card.'),
    kvAllCards: bytes('KV on all cards.'),
    kvReplication: ratio('Copies of the KV.', { also: ['kv_copies'] }),
    expertFfnPerCard: quantity('column', 'Width of an expert on one card.'),
    expertsPerCard: ratio('Experts of a layer on one card, each cut over tp.'),
    cards: count('Cards.'),
  },
  compute: (input) => {
    const model = uniformModel(input.model)
    const { tp, ep } = input
    const all = tensorBytes(model)
    const perCard = weightBytesOfCard(
      model,
      { tp, ep },
      { kvProjections: input.replicateKvProj, normsAndRouters: true },
      all,
    )
    const split = { tokens: input.tokens, tp, kvElementBytes: input.kvBytes, split: input.kvSplit }
    const kvPerCard = kvBytesOfCard(model, split)
    const oneCopy = kvBytesOfCard(model, { ...split, tp: 1 })
    return {
      perCard,
      allCards: tp * ep * perCard,
      extra: tp * ep * perCard - all.total,
      kvPerCard,
      kvAllCards: tp * ep * kvPerCard,
      kvReplication: oneCopy === 0 ? ep * (tp / Math.min(tp, model.kvHeads)) : (tp * ep * kvPerCard) / oneCopy,
      expertFfnPerCard: (model.expertFfn ?? model.ffn ?? 0) / tp,
      expertsPerCard: (model.experts ?? 0) / ep,
      cards: tp * ep,
    }
  },
})
