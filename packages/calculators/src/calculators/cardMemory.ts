import { cardMemory, kvBytesOfCard, weightBytesOfCard } from '@windtunnel/cost/deployment/cardMemory'
import { tensorBytes } from '@windtunnel/cost/deployment/tensorBytes'
import { calculator } from '../calculator.ts'
import { capacity, tp, workspace } from '../fields/card.ts'
import { bytes, count, degree, flag, optional, quantity, ratio, tokens, withDefault } from '../fields/field.ts'
import { shapeModel, uniformModel } from '../fields/models.ts'
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
    tokens: tokens('Tokens that each session keeps in the cache.'),
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
    maxSessions: optional(count('Sessions of that length that fit; none where they keep nothing.')),
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
