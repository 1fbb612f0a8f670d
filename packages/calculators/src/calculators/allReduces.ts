import { ringAllReduce, ringTreeCrossoverBytes, treeAllReduce } from '@windtunnel/cost/collectives/alphaBetaAllReduce'
import { calculator } from '../calculator.ts'
import { alpha, link } from '../fields/card.ts'
import { bytes, count, degree, list, quantity, seconds } from '../fields/field.ts'

const inputs = {
  n: degree('Cards that add up their vectors.', { also: ['cards'] }),
  bytes: bytes('M, the vector that each card holds.'),
  alpha,
  bandwidth: link,
}

const results = {
  timeSeconds: seconds('One AllReduce.'),
  rounds: count('Messages that follow each other.'),
  sentBytes: bytes('Sent by each card in all.', { also: ['sent'] }),
  startupSeconds: seconds('Start-up of all rounds.'),
  transferSeconds: seconds('Moving the bytes.'),
}

type Inputs = { readonly n: number; readonly bytes: number; readonly alpha: number; readonly bandwidth: number }

const resultOf = (of: typeof ringAllReduce) => (input: Inputs) => {
  const link = { alphaSeconds: input.alpha, bytesPerSecond: input.bandwidth }
  const { seconds: timeSeconds, ...parts } = of(input.n, input.bytes, link)
  return { timeSeconds, ...parts }
}

export const ringAllreduce = calculator({
  title: 'AllReduce over a ring',
  section: 'Collectives',
  formula: '(6-9) T = 2(n-1) alpha + 2(n-1) M / (n B); each card sends 2(n-1) M / n',
  validity: 'Rounds in lock step, no contention on links.',
  example: { n: 8, bytes: 10240 },
  input: inputs,
  output: results,
  compute: resultOf(ringAllReduce),
})

export const treeAllreduce = calculator({
  title: 'AllReduce over a tree',
  section: 'Collectives',
  formula: '(6-10) T = 2 log2 n (alpha + M / B)',
  validity: 'A binomial tree up and down, the vector sent whole; n a power of two.',
  example: { n: 8, bytes: 10240 },
  input: inputs,
  output: results,
  compute: resultOf(treeAllReduce),
})

export const ringTreeCrossover = calculator({
  title: 'Size at which ring and tree take equally long',
  section: 'Collectives',
  formula: '(6-9) = (6-10): M = (2(n-1) - 2 log2 n) alpha B / (2 log2 n - 2(n-1)/n); the tree is faster below',
  validity: 'n a power of two. Linear in alpha B.',
  example: { n: 8 },
  input: { n: inputs.n, alpha, bandwidth: link },
  output: {
    bytes: bytes('Vector for which both take the same time.'),
    timeSeconds: seconds('That time.'),
  },
  compute: ({ n, alpha, bandwidth }) => {
    const between = { alphaSeconds: alpha, bytesPerSecond: bandwidth }
    const size = ringTreeCrossoverBytes(n, between)
    return { bytes: size, timeSeconds: treeAllReduce(n, size, between).seconds }
  },
})

export const busBandwidth = calculator({
  title: 'Algorithm and bus bandwidth of a measured AllReduce',
  section: 'Collectives',
  formula: 'algbw = M / T; busbw = 2(n-1)/n algbw',
  validity: 'AllReduce only. A normalised number, not the throughput of a network card.',
  example: { n: 16, bytes: 67108864, timeSeconds: 4.661e-4 },
  input: {
    n: inputs.n,
    bytes: inputs.bytes,
    timeSeconds: quantity('s', 'Measured time of one AllReduce.', { above: 0 }),
  },
  output: {
    algbw: quantity('B/s', 'Bytes of the vector over the time.', { minimum: 0 }),
    busbw: quantity('B/s', 'What a ring would have had to move over each link.', { minimum: 0 }),
  },
  compute: ({ n, bytes, timeSeconds }) => {
    const algbw = bytes / timeSeconds
    return { algbw, busbw: ((2 * (n - 1)) / n) * algbw }
  },
})

export const ringSend = calculator({
  title: 'Bytes a card sends in rings one after another',
  section: 'Collectives',
  formula: 'sum over rings of 2(n-1)/n vector',
  validity: 'AllReduce over each ring in turn, the same vector.',
  example: { vector: 16384, rings: [2, 2, 4] },
  input: {
    vector: bytes('Vector that each ring adds up.'),
    rings: list(degree('Cards of a ring.'), 'Cards of each ring.', { minimumItems: 1 }),
  },
  output: {
    bytes: bytes('Sent by one card over all rings.'),
    rounds: count('Rounds of all rings.'),
    perRing: list(bytes('Sent in one ring.'), 'Sent by one card in each ring.'),
  },
  compute: ({ vector, rings }) => {
    const free = { alphaSeconds: 0, bytesPerSecond: 1 }
    const found = rings.map((cards) => ringAllReduce(cards, vector, free))
    return {
      bytes: found.reduce((sum, one) => sum + one.sentBytes, 0),
      rounds: found.reduce((sum, one) => sum + one.rounds, 0),
      perRing: found.map((one) => one.sentBytes),
    }
  },
})
