import { mathSeconds, moveSeconds, timeBounds } from '@windtunnel/cost/rooflines/time'
import { expertsTouched } from '@windtunnel/cost/step/expertsTouched'
import { calculator } from '../calculator.ts'
import { requireChosen } from '../edge/requireChosen.ts'
import { elementBytes, hbm, peak } from '../fields/card.ts'
import { bytes, degree, flag, flops, ratio, seconds, tokens, withDefault } from '../fields/field.ts'

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
    requireChosen(input.experts, input.topK)
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
    requireChosen(input.experts, input.topK)
    const active = expertsTouched(input.experts, input.topK, input.tokens)
    return {
      active,
      bytes: active * input.expertBytes,
      coverage: active / input.experts,
      tokensPerActive: active === 0 ? 0 : (input.tokens * input.topK) / active,
    }
  },
})
