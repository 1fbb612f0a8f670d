import { kvWays } from '@windtunnel/cost/deployment/cardMemory'
import { keyValueBytesPerToken, readByOneToken, tensorBytes } from '@windtunnel/cost/deployment/tensorBytes'
import { moveSeconds } from '@windtunnel/cost/rooflines/time'
import { calculator } from '../calculator.ts'
import { hbm, tp } from '../fields/card.ts'
import { bytes, count, degree, flag, quantity, ratio, seconds, tokens, withDefault } from '../fields/field.ts'
import { shapeModel, uniformModel } from '../fields/models.ts'
import { kvSplit, replicateKvProj } from '../fields/stepInput.ts'

export const moeDecodeStep = calculator({
  title: 'Decode step of one session',
  section: 'Operators and steps',
  formula: '(W_read / tp + KV / min(tp, KV heads)) / B',
  validity:
    'Batch 1, bound by memory, no communication. Weights divide evenly unless copies are asked for, which (6-1) always counts. Embedding row left out.',
  example: { model: 'qwen3-235b-a22b', tokens: 8192, tp: 8 },
  input: {
    model: shapeModel,
    tokens: tokens('Tokens in the cache.'),
    tp: withDefault(tp, 1),
    bandwidth: hbm,
    kvBytes: withDefault(quantity('B', 'Bytes of one KV element; 2 for BF16.', { above: 0 }), 2),
    kvSplit,
    replicateKvProj: withDefault(replicateKvProj, false),
    replicateSmall: withDefault(
      flag('Read norms and routers whole on every card, as the capacity rule keeps them.'),
      false,
    ),
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
    const all = tensorBytes(model)
    const weightRead = readByOneToken(model, all)
    const small = input.replicateSmall ? all.norms + all.routers : 0
    const heads = input.replicateKvProj ? all.keyAndValue : 0
    const weightsPerCard =
      (weightRead - small - heads) / input.tp + small + heads / kvWays(input.tp, model.kvHeads, 'saturate')
    const kvRead = keyValueBytesPerToken(model, input.kvBytes) * input.tokens
    const perCardRead = weightsPerCard + kvRead / kvWays(input.tp, model.kvHeads, input.kvSplit)
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
