import { calculator } from '../calculator.ts'
import { elementBytes } from '../fields/card.ts'
import { bytes, count, degree, list, quantity, ratio, table, text, withDefault } from '../fields/field.ts'
import { crossingOutputs, crossings, edgesOf } from './ringEdges.ts'

export const deviceCount = calculator({
  title: 'Cards of a layout',
  section: 'Splits',
  formula: 'cards = dp x pp x tp x ep x cp; hand-off between stages = holders x vector',
  validity: 'Sequence parallelism shares the cards of the tensor group.',
  example: { dp: 2, pp: 2, tp: 4 },
  input: {
    dp: withDefault(degree('Replicas.'), 1),
    pp: withDefault(degree('Stages.'), 1),
    tp: withDefault(degree('Tensor ranks.'), 1),
    ep: withDefault(degree('Expert groups with cards of their own.'), 1),
    cp: withDefault(degree('Context ranks.'), 1),
    sp: withDefault(degree('Sequence ranks, on the cards of the tensor group.'), 1),
    tpHolders: withDefault(degree('Ranks of a stage that hold the vector to hand on.'), 1),
    hiddenBytes: withDefault(bytes('The vector.'), 0),
  },
  output: {
    cards: count('Cards.', { also: ['devices'] }),
    ppHandoffBytes: bytes('Handed from stage to stage.'),
    instances: count('Replicas.'),
    cardsPerInstance: count('Cards of one replica.'),
  },
  compute: (input) => {
    const cardsPerInstance = input.pp * input.tp * input.ep * input.cp
    return {
      cards: input.dp * cardsPerInstance,
      ppHandoffBytes: input.tpHolders * input.hiddenBytes,
      instances: input.dp,
      cardsPerInstance,
    }
  },
})

export const dpVsGroup = calculator({
  title: 'One group against as many single cards',
  section: 'Splits',
  formula: 'S(n) / n',
  validity: 'Always requests waiting; the model fits one card.',
  example: { speedup: 5.7, cards: 8 },
  input: {
    speedup: quantity('x', 'How much faster a group serves one request.', { above: 0 }),
    cards: degree('Cards of the group.', { also: ['n'] }),
  },
  output: { relativeThroughput: ratio('Throughput of the group over that of single cards.') },
  compute: ({ speedup, cards }) => ({ relativeThroughput: speedup / cards }),
})

export const moeDispatch = calculator({
  title: 'Sending a token to its experts',
  section: 'Experts',
  formula: 'one vector for each card with a chosen expert, not one for each expert',
  validity: 'Experts on the home card cost nothing. One direction; the results come back likewise.',
  example: { hidden: 4096, expertCards: [1, 1, 2, 2, 3, 3, 4, 4] },
  input: {
    hidden: degree('Elements of the vector.'),
    dtypeBytes: elementBytes,
    home: withDefault(count('Card of the token.'), 0),
    expertCards: list(count('A card.'), 'Card of each chosen expert.'),
    tokens: withDefault(count('Tokens that choose alike.'), 1),
  },
  output: {
    byExpert: bytes('Sent with one vector for each expert.'),
    byCard: bytes('Sent with one vector for each card.'),
    remoteCards: count('Cards sent to.', { also: ['cards'] }),
    remoteExperts: count('Experts on them.'),
  },
  compute: (input) => {
    const remote = input.expertCards.filter((card) => card !== input.home)
    const cards = new Set(remote).size
    const vector = input.tokens * input.hidden * input.dtypeBytes
    return {
      byExpert: remote.length * vector,
      byCard: cards * vector,
      remoteCards: cards,
      remoteExperts: remote.length,
    }
  },
})

export const expertLoad = calculator({
  title: 'How routing loads the groups of experts',
  section: 'Experts',
  formula: 'assignments m k spread over active experts; read = active x expert; the heaviest group counts',
  validity: 'Assignments fall evenly on the active experts.',
  example: { tokens: 64, topK: 8, expertBytes: 37748736, activePerGroup: [32, 32, 32, 32] },
  input: {
    tokens: count('Tokens.'),
    topK: degree('Experts that one token visits.'),
    expertBytes: withDefault(bytes('One expert.'), 0),
    activePerGroup: list(count('Experts.'), 'Active experts of each group.', { minimumItems: 1 }),
  },
  output: {
    assignments: count('Tokens times experts of each.'),
    active: count('Active experts.'),
    rowsPerExpert: ratio('Rows that an active expert computes.'),
    readBytes: bytes('Weights read.'),
    maxGroup: ratio('Rows of the heaviest group.'),
    groupRows: list(ratio('Rows.'), 'Rows of each group.', { also: ['group'] }),
    imbalance: ratio('Heaviest over mean.'),
    maxGroupReadBytes: bytes('Weights that the heaviest group reads.'),
  },
  compute: (input) => {
    const active = input.activePerGroup.reduce((sum, one) => sum + one, 0)
    const assignments = input.tokens * input.topK
    const rowsPerExpert = active === 0 ? 0 : assignments / active
    const groupRows = input.activePerGroup.map((one) => one * rowsPerExpert)
    const maxGroup = Math.max(...groupRows)
    return {
      assignments,
      active,
      rowsPerExpert,
      readBytes: active * input.expertBytes,
      maxGroup,
      groupRows,
      imbalance: assignments === 0 || active === 0 ? 1 : (maxGroup * groupRows.length) / assignments,
      maxGroupReadBytes: Math.max(...input.activePerGroup) * input.expertBytes,
    }
  },
})

export const crossHostRing = calculator({
  title: 'What rings send between hosts',
  section: 'Experts',
  formula: 'each edge of a ring of n carries 2(n-1)/n of the vector; edges between hosts add up',
  validity: 'AllReduce over each ring, in the direction of its order.',
  example: { host: { 0: 'A', 1: 'A', 2: 'B', 3: 'B' }, rings: [['0', '1', '2', '3']], vector: 16384 },
  input: {
    host: table(text('A host.'), 'Host of each card.'),
    rings: list(list(text('A card.'), 'Cards of one ring, in order.'), 'Rings.'),
    vector: bytes('Vector that each ring adds up.'),
  },
  output: crossingOutputs,
  compute: ({ host, rings, vector }) => {
    const edges = rings.flatMap((ring) => edgesOf(ring, host, 'host').map((edge) => ({ ...edge, cards: ring.length })))
    const moved = edges.map(({ from, to, cards }) => ({ from, to, bytes: ((2 * (cards - 1)) / cards) * vector }))
    return crossings(moved, Object.values(host))
  },
})
