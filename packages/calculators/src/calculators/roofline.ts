import { mathSeconds, moveSeconds, timeBounds } from '@windtunnel/cost/rooflines/time'
import { calculator } from '../calculator.ts'
import { hbm, peak } from '../fields/card.ts'
import { bytes, flag, flops, quantity, ratio, seconds } from '../fields/field.ts'

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
