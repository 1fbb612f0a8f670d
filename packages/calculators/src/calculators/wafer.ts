import { calculator } from '../calculator.ts'
import { bytes, choice, count, degree, flag, optional, quantity, ratio, seconds, withDefault } from '../fields/field.ts'

const speed = (sentence: string, also: readonly string[] = []) => quantity('token/s', sentence, { minimum: 0, also })

export const tokenTime = calculator({
  title: 'Time of one token with weights and KV apart',
  section: 'Expert-parallel domain',
  formula: '(6-15) max(weight, KV, compute) / balance + comm + fixed',
  validity: 'Weights and KV on paths of their own overlap (max); on one memory they add. Communication waits for all.',
  example: { weight: 6.9e-5, comm: 1.59e-4, balance: 0.9 },
  input: {
    weight: seconds('Reading weights.'),
    kv: withDefault(seconds('Reading KV.'), 0),
    compute: withDefault(seconds('Computing.'), 0),
    balance: withDefault(ratio('How evenly layers divide; 0.9 over two wafers.', { above: 0, maximum: 1 }), 1),
    comm: withDefault(seconds('Collectives.'), 0),
    fixed: withDefault(seconds('Fixed latency of all layers.'), 0),
    weightAndKv: withDefault(
      choice(['overlap', 'add'], 'overlap: paths of their own; add: one memory, as on a GPU.'),
      'overlap',
    ),
  },
  output: {
    timeSeconds: seconds('One token.', { also: ['token_s'] }),
    serviceSeconds: seconds('Reading and computing, over the balance.'),
    tokensPerSecond: speed('One session.'),
    commShare: ratio('Collectives over the token.'),
  },
  compute: (input) => {
    const reading = input.weightAndKv === 'add' ? input.weight + input.kv : Math.max(input.weight, input.kv)
    const serviceSeconds = Math.max(reading, input.compute) / input.balance
    const timeSeconds = serviceSeconds + input.comm + input.fixed
    return {
      timeSeconds,
      serviceSeconds,
      tokensPerSecond: timeSeconds === 0 ? 0 : 1 / timeSeconds,
      commShare: timeSeconds === 0 ? 0 : input.comm / timeSeconds,
    }
  },
})

export const impliedFixedLatency = calculator({
  title: 'Fixed latency that a stated speed implies',
  section: 'Expert-parallel domain',
  formula: '(6-15) solved: fixed = 1 / speed - service - comm',
  validity: 'Service already over the balance.',
  example: { tokensPerSecond: 1357, service: 1.65e-4, comm: 5.62e-4 },
  input: {
    tokensPerSecond: quantity('token/s', 'Stated speed.', { above: 0 }),
    service: seconds('Reading and computing.'),
    comm: seconds('Collectives.'),
  },
  output: {
    fixedSeconds: quantity('s', 'What is left; negative where the parts exceed the speed.'),
    commShare: ratio('Collectives over the token.'),
    timeSeconds: seconds('One token.', { also: ['token_s'] }),
  },
  compute: ({ tokensPerSecond, service, comm }) => {
    const timeSeconds = 1 / tokensPerSecond
    return { fixedSeconds: timeSeconds - service - comm, commShare: comm * tokensPerSecond, timeSeconds }
  },
})

export const engramTable = calculator({
  title: 'Lookup tables of Engram modules',
  section: 'Expert-parallel domain',
  formula: 'tables x rows x (values + scale); per token tables x lookups rows',
  validity: 'Values of one byte (FP8).',
  example: { tables: 2, rows: 384e6, values: 256, scale: 8, lookups: 24 },
  input: {
    tables: degree('Tables.'),
    rows: degree('Rows of one table.'),
    values: degree('Values of a row.'),
    valueBytes: withDefault(quantity('B', 'Bytes of a value.', { above: 0 }), 1),
    scale: withDefault(bytes('Scale of a row.'), 8),
    lookups: degree('Rows that a token looks up in each table.'),
  },
  output: {
    bytes: bytes('All tables.'),
    rowBytes: bytes('One row.'),
    rowsPerToken: count('Rows of one token.'),
    bytesPerToken: bytes('Fetched for one token.'),
  },
  compute: (input) => {
    const rowBytes = input.values * input.valueBytes + input.scale
    const rowsPerToken = input.tables * input.lookups
    return {
      bytes: input.tables * input.rows * rowBytes,
      rowBytes,
      rowsPerToken,
      bytesPerToken: rowsPerToken * rowBytes,
    }
  },
})

export const engramService = calculator({
  title: 'Lookups of a step against a rate of random reads',
  section: 'Expert-parallel domain',
  formula: 'sessions x rows / rate, over the step',
  validity: 'Reads of one card, evenly served.',
  example: { sessions: 335, rowsPerToken: 48, rowRate: 61e6, stepSeconds: 0.01725 },
  input: {
    sessions: count('Sessions of a card.'),
    rowsPerToken: count('Rows of one token.'),
    rowRate: quantity('1/s', 'Random reads.', { above: 0 }),
    stepSeconds: optional(quantity('s', 'The step.', { above: 0 })),
  },
  output: {
    rows: count('Rows of a step.'),
    timeSeconds: seconds('Reading them.'),
    share: optional(ratio('Of the step.')),
  },
  compute: ({ sessions, rowsPerToken, rowRate, stepSeconds }) => {
    const rows = sessions * rowsPerToken
    const timeSeconds = rows / rowRate
    return { rows, timeSeconds, share: stepSeconds === undefined ? undefined : timeSeconds / stepSeconds }
  },
})

export const engramHide = calculator({
  title: 'Whether lookups hide behind the first block',
  section: 'Expert-parallel domain',
  formula: 'window = step / layers; lookups show once step < layers x round trip',
  validity: 'Rows are known when the step starts and needed after the first block; layers take equally long.',
  example: { layers: 40, rtt: 1.05e-6, stepSeconds: 2.457e-4 },
  input: {
    layers: degree('Layers.'),
    rtt: seconds('Round trip of the lookup.'),
    stepSeconds: optional(quantity('s', 'The step.', { above: 0 })),
  },
  output: {
    firstBlockSeconds: optional(seconds('Time of the first block, in which lookups hide.')),
    shareOfBlock: optional(ratio('Round trip over that.')),
    hidden: optional(flag('Whether it hides.', { also: ['hides'] })),
    criticalStepSeconds: seconds('Step below which lookups show.'),
    criticalTokensPerSecond: speed('Speed above which they show.', ['critical_tokens_s']),
  },
  compute: ({ layers, rtt, stepSeconds }) => {
    const criticalStepSeconds = layers * rtt
    const firstBlockSeconds = stepSeconds === undefined ? undefined : stepSeconds / layers
    return {
      firstBlockSeconds,
      shareOfBlock: firstBlockSeconds === undefined ? undefined : rtt / firstBlockSeconds,
      hidden: firstBlockSeconds === undefined ? undefined : rtt <= firstBlockSeconds,
      criticalStepSeconds,
      criticalTokensPerSecond: criticalStepSeconds === 0 ? 0 : 1 / criticalStepSeconds,
    }
  },
})
