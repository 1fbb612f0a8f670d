import { combineSoftmax } from '@windtunnel/cost/transformer/flashCombine'
import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { count, degree, flag, list, quantity, ratio, seconds, withDefault } from '../fields/field.ts'

export const causalLoad = calculator({
  title: 'Causal attention over a context-parallel assignment',
  section: 'Splits',
  formula: 'pairs of a card = sum of its positions, counted from 1',
  validity: 'One sequence, full causal mask. Contiguous halves of 8: 10 and 26; zig-zag: 18 and 18.',
  example: {
    groups: [
      [1, 2, 7, 8],
      [3, 4, 5, 6],
    ],
  },
  input: {
    groups: list(list(degree('A position.'), 'Positions of one card.'), 'Positions of each card, counted from 1.', {
      minimumItems: 1,
    }),
  },
  output: {
    load: list(count('Pairs.'), 'Query-key pairs of each card.', { also: ['pairs', 'loads', 'group', 'card'] }),
    total: count('All pairs.'),
    max: count('The busiest card.'),
    min: count('The least busy card.'),
    imbalance: ratio('Busiest over least busy; 0 where a card has none.', { also: ['ratio', 'max_over_min'] }),
    maxOverMean: ratio('Busiest over mean: how much longer than with an even split.'),
  },
  compute: ({ groups }) => {
    const load = groups.map((positions) => positions.reduce((sum, position) => sum + position, 0))
    const total = load.reduce((sum, pairs) => sum + pairs, 0)
    const max = Math.max(...load)
    const min = Math.min(...load)
    return {
      load,
      total,
      max,
      min,
      imbalance: min === 0 ? 0 : max / min,
      maxOverMean: total === 0 ? 1 : max / (total / load.length),
    }
  },
})

export const softmaxMerge = calculator({
  title: 'Merging attention over segments of the context',
  section: 'Splits',
  formula: 'm = max m_r; l = sum exp(m_r - m) l_r; u = sum exp(m_r - m) u_r; o = u / l',
  validity: 'Exact. Averaging the local outputs is wrong, and is shown for comparison.',
  example: {
    scores: [
      [1, 2],
      [4, 0.5],
    ],
    values: [
      [1, -1],
      [3, 2],
    ],
  },
  input: {
    scores: list(list(ratio('A score.'), 'Scores of one segment.', { minimumItems: 1 }), 'Scores by segment.', {
      minimumItems: 1,
    }),
    values: list(list(ratio('A value.'), 'Values of one segment.'), 'One value for each score.'),
  },
  output: {
    output: ratio('o, the attention output.'),
    max: ratio('m, the largest score.', { also: ['m'] }),
    denominator: ratio('l, sum of exponentials over m.', { also: ['l', 'sum'] }),
    weighted: ratio('u, weighted values.', { also: ['u'] }),
    averaged: ratio('Plain average of the local outputs, which is not the answer.', {
      also: ['average', 'naive', 'wrong', 'mean_output'],
    }),
    localMax: list(ratio('m_r.'), 'Largest score of each segment.'),
    localSum: list(ratio('l_r.'), 'Sum of exponentials of each segment.'),
    localOutput: list(ratio('o_r.'), 'Output of each segment alone.', { also: ['local'] }),
  },
  compute: ({ scores, values }) => {
    const parts = scores.map((segment, at) => segmentOf(segment, values[at] ?? [], at))
    const merged = parts.reduce(joined)
    const localOutput = parts.map((part) => part.weighted / part.denominator)
    return {
      output: merged.weighted / merged.denominator,
      max: merged.maximum,
      denominator: merged.denominator,
      weighted: merged.weighted,
      averaged: localOutput.reduce((sum, one) => sum + one, 0) / parts.length,
      localMax: parts.map((part) => part.maximum),
      localSum: parts.map((part) => part.denominator),
      localOutput,
    }
  },
})

interface Segment {
  readonly maximum: number
  readonly denominator: number
  readonly weighted: number
}

function segmentOf(scores: readonly number[], values: readonly number[], at: number): Segment {
  if (values.length !== scores.length)
    throw InputError.at(`values.${at}`, `expected ${scores.length} values, one for each score; found ${values.length}`)
  const maximum = Math.max(...scores)
  const weights = scores.map((score) => Math.exp(score - maximum))
  const denominator = weights.reduce((sum, weight) => sum + weight, 0)
  return { maximum, denominator, weighted: weights.reduce((sum, weight, key) => sum + weight * values[key]!, 0) }
}

function joined(first: Segment, second: Segment): Segment {
  const { maximum, denominator } = combineSoftmax(first, second)
  const scale = (part: Segment) => Math.exp(part.maximum - maximum) * part.weighted
  return { maximum, denominator, weighted: scale(first) + scale(second) }
}

export const rmsnormOrder = calculator({
  title: 'Normalising before or after the reduction',
  section: 'Collectives',
  formula: 'RMSNorm(sum x_r) against sum RMSNorm(x_r)',
  validity: 'Norm without weights. The two differ: the reduction must come first.',
  example: {
    parts: [
      [1, 0],
      [0, 1],
    ],
  },
  input: {
    parts: list(list(ratio('A value.'), 'Partial sum of one card.', { minimumItems: 1 }), 'Partial sums.', {
      minimumItems: 1,
    }),
    eps: withDefault(ratio('Added under the root.', { minimum: 0 }), 0),
  },
  output: {
    reduceThenNorm: list(ratio('A value.'), 'Reduced, then normalised: right.'),
    normThenReduce: list(ratio('A value.'), 'Normalised, then reduced.'),
    equal: flag('Whether both agree to twelve digits.', { also: ['commutes'] }),
  },
  compute: ({ parts, eps }) => {
    const width = parts[0]!.length
    if (parts.some((part) => part.length !== width)) throw InputError.at('parts', 'expected parts of one length')
    const added = (all: readonly (readonly number[])[]) =>
      Array.from({ length: width }, (_, at) => all.reduce((sum, one) => sum + one[at]!, 0))
    const reduceThenNorm = rmsNorm(added(parts), eps)
    const normThenReduce = added(parts.map((part) => rmsNorm(part, eps)))
    const equal = reduceThenNorm.every((value, at) => Math.abs(value - normThenReduce[at]!) <= 1e-12 * Math.abs(value))
    return { reduceThenNorm, normThenReduce, equal }
  },
})

function rmsNorm(vector: readonly number[], eps: number): number[] {
  const mean = vector.reduce((sum, value) => sum + value * value, 0) / vector.length
  const size = Math.sqrt(mean + eps)
  return vector.map((value) => (size === 0 ? 0 : value / size))
}

export const pipeline = calculator({
  title: 'A pipeline of stages',
  section: 'Splits',
  formula: '(6-7) T = sum t_i + (b-1) max t_i; equal stages: (q + b - 1) t, eta = b / (q + b - 1)',
  validity: 'b independent ready micro-batches and unbounded buffers. One autoregressive session supplies one.',
  example: { stages: [0.001, 0.001, 0.001, 0.001], microbatches: 16 },
  input: {
    stages: list(seconds('A stage.'), 'Time of one micro-batch in each stage.', { minimumItems: 1 }),
    microbatches: degree('b, micro-batches.'),
  },
  output: {
    timeSeconds: seconds('Until the last micro-batch is done.', { also: ['time'] }),
    firstSeconds: seconds('Until the first one is done.', { also: ['first'] }),
    utilization: ratio('Share of the time that the stages work, on average.', { also: ['utilisation', 'eta'] }),
    bubble: ratio('The rest.'),
    bottleneckStage: count('The slowest stage, from 0.'),
    throughput: quantity('1/s', 'Micro-batches per second once filled.', { minimum: 0 }),
  },
  compute: ({ stages, microbatches }) => {
    const firstSeconds = stages.reduce((sum, stage) => sum + stage, 0)
    const slowest = Math.max(...stages)
    const timeSeconds = firstSeconds + (microbatches - 1) * slowest
    const utilization = timeSeconds === 0 ? 1 : (microbatches * firstSeconds) / (stages.length * timeSeconds)
    return {
      timeSeconds,
      firstSeconds,
      utilization,
      bubble: 1 - utilization,
      bottleneckStage: stages.indexOf(slowest),
      throughput: slowest === 0 ? 0 : 1 / slowest,
    }
  },
})
