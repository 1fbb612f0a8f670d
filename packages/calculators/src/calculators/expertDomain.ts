import { allReduceSeconds } from '@windtunnel/cost/collectives/alphaBetaAllReduce'
import { mathSeconds, moveSeconds } from '@windtunnel/cost/rooflines/time'
import { expertsTouched } from '@windtunnel/cost/step/expertsTouched'
import { calculator } from '../calculator.ts'
import { requireChosen } from '../edge/requireChosen.ts'
import { allReduce, allReduceModel } from '../fields/allReduce.ts'
import { capacity, hbm, link, peak, workspace } from '../fields/card.ts'
import {
  bytes,
  count,
  degree,
  flag,
  optional,
  quantity,
  ratio,
  seconds,
  type Values,
  withDefault,
} from '../fields/field.ts'

const domainCards = degree('S, cards of the domain, one instance over all.', { also: ['S'] })

export const epSupernodeCapacity = calculator({
  title: 'Sessions a card keeps in an expert-parallel domain',
  section: 'Expert-parallel domain',
  formula: '(6-14) W = replicated + (routed + table) / S; N = floor((C - W - U) / K)',
  validity: 'Attention data-parallel: a card keeps the KV of its own sessions. Nothing is rounded before the floor.',
  example: { replicated: 9.5e9, routed: 288.8e9, table: 203.1e9, kvPerSession: 180.7e6, S: 64 },
  input: {
    replicated: bytes('Attention, shared experts, output head and embedding: on every card.'),
    routed: bytes('Routed experts, over all cards.'),
    table: withDefault(bytes('Lookup tables, over all cards; 0 where they are elsewhere.'), 0),
    capacity,
    workspace,
    kvPerSession: quantity('B', 'K, state of one session.', { above: 0 }),
    domainCards,
  },
  output: {
    weightsPerCard: bytes('W, weights and tables on one card.'),
    sessions: count('N, sessions of one card.', { also: ['sessions_per_card'] }),
    totalSessions: count('Sessions of the domain.'),
    fits: flag('Whether the weights fit at all.'),
    tablePerCard: bytes('Tables on one card.'),
    tableSessions: ratio('Sessions that the tables displace.', { also: ['displaced'] }),
    free: quantity('B', 'Left for KV; negative where the weights do not fit.'),
  },
  compute: (input) => {
    const { domainCards, kvPerSession } = input
    const weightsPerCard = input.replicated + (input.routed + input.table) / domainCards
    const free = input.capacity - weightsPerCard - input.workspace
    const sessions = Math.max(0, Math.floor(free / kvPerSession))
    const tablePerCard = input.table / domainCards
    return {
      weightsPerCard,
      sessions,
      totalSessions: sessions * domainCards,
      fits: free >= 0,
      tablePerCard,
      tableSessions: tablePerCard / kvPerSession,
      free,
    }
  },
})

const domainFields = {
  layers: degree('Layers, each with a dispatch and a combine.'),
  experts: degree('Routed experts of a layer.'),
  topK: degree('Experts that one token visits.'),
  expertBytes: bytes('One expert.'),
  replicatedRead: bytes('Weights on every card that a step reads.'),
  kvRead: bytes('KV that one token reads.'),
  flopsPerToken: quantity('FLOP', 'Operations of one token.', { minimum: 0 }),
  hidden: degree('Elements of the vector sent to an expert.'),
  actBytes: withDefault(quantity('B', 'Bytes of one element of it.', { above: 0 }), 2),
  bandwidth: hbm,
  peak,
  alpha: withDefault(seconds('Start-up time of one all-to-all.'), 8.3e-7),
  link,
  domainCards,
  n: withDefault(degree('Tokens of each card in a step: its sessions.', { also: ['sessions'] }), 1),
  batch: optional(degree('Tokens of the whole domain in a step; n for every card where left out.')),
  server: optional(degree('Cards of a server, where the link joins servers: what stays in one crosses no link.')),
}

type Domain = Values<typeof domainFields>

/** Bytes of experts that one card reads in a step: at least one expert a layer, for the token on the critical path. */
function expertRead(of: Domain): number {
  const tokens = of.batch ?? of.n * of.domainCards
  requireChosen(of.experts, of.topK)
  const coverage = expertsTouched(of.experts, of.topK, tokens) / of.experts
  return of.layers * Math.max(of.expertBytes, (of.experts / of.domainCards) * of.expertBytes * coverage)
}

function exchangeSeconds(of: Domain): number {
  const near = Math.min(of.server ?? 1, of.domainCards)
  const away = 1 - near / of.domainCards
  const vectors = of.n * of.topK * of.hidden * of.actBytes
  return 2 * of.layers * (of.alpha + (vectors * away) / of.link)
}

const stepOutputs = {
  stepSeconds: seconds('The step.', { also: ['time_s'] }),
  localSeconds: seconds('The longer of reading and computing.'),
  memorySeconds: seconds('Reading.', { also: ['read_s'] }),
  computeSeconds: seconds('Computing.'),
  computeBound: flag('Whether computing takes longer.'),
  commSeconds: seconds('All exchanges and reductions.'),
  readBytes: bytes('Read by one card.'),
  expertReadBytes: bytes('Of that, experts.'),
  userTokensPerSecond: quantity('token/s', 'One session.', { minimum: 0, also: ['user_tokens_s'] }),
  tokensPerCardPerSecond: quantity('token/s', 'One card.', { minimum: 0, also: ['tokens_per_card_s'] }),
  commShare: ratio('Exchanges over the step.'),
}

function stepOf(of: Domain, replicatedRead: number, kvRead: number, reductionSeconds: number) {
  const expertReadBytes = expertRead(of)
  const readBytes = replicatedRead + expertReadBytes + of.n * kvRead
  const memorySeconds = moveSeconds(readBytes, of.bandwidth)
  const computeSeconds = mathSeconds(of.n * of.flopsPerToken, of.peak)
  const localSeconds = Math.max(memorySeconds, computeSeconds)
  const commSeconds = exchangeSeconds(of) + reductionSeconds
  const stepSeconds = localSeconds + commSeconds
  return {
    stepSeconds,
    localSeconds,
    memorySeconds,
    computeSeconds,
    computeBound: computeSeconds > memorySeconds,
    commSeconds,
    readBytes,
    expertReadBytes,
    userTokensPerSecond: 1 / stepSeconds,
    tokensPerCardPerSecond: of.n / stepSeconds,
    commShare: commSeconds / stepSeconds,
  }
}

const domainExample = {
  layers: 40,
  experts: 384,
  topK: 6,
  expertBytes: 18802083.333333332,
  replicatedRead: 8.2096e9,
  kvRead: 46.43e6,
  flopsPerToken: 40.114e9,
  hidden: 5120,
  S: 64,
}

export const epSupernodeStep = calculator({
  title: 'Decode step in an expert-parallel domain',
  section: 'Expert-parallel domain',
  formula:
    'max(read / B, n flops / P) + 2 L (alpha + n k h b (1 - 1/S) / link); read = replicated + L max(expert, E/S expert coverage(n S)) + n KV',
  validity:
    'Attention data-parallel; one dispatch and one combine a layer, no overlap. Across servers 1 - server/S leaves.',
  example: { ...domainExample, n: 335 },
  input: domainFields,
  output: stepOutputs,
  compute: (input) => stepOf(input, input.replicatedRead, input.kvRead, 0),
})

export const epBatch1TpAttention = calculator({
  title: 'One session with tensor-parallel attention in that domain',
  section: 'Expert-parallel domain',
  formula: 'the same with replicated weights / tp and R all-reduces more',
  validity: 'Batch 1. KV is read whole unless kvShards says otherwise.',
  example: { ...domainExample, S: 8, tp: 8, reductions: 40 },
  input: {
    ...domainFields,
    tp: degree('Cards over which the replicated weights are cut.'),
    reductions: withDefault(count('All-reduces added.'), 0),
    allreduce: allReduce,
    kvShards: withDefault(degree('Ways in which KV is cut.'), 1),
  },
  output: stepOutputs,
  compute: (input) => {
    const one = { ...input, n: 1, batch: input.batch ?? 1 }
    const reduced = input.reductions * allReduceSeconds(allReduceModel(input.allreduce), input.tp)
    return stepOf(one, input.replicatedRead / input.tp, input.kvRead / input.kvShards, reduced)
  },
})
