import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { count, flag, quantity, ratio, seconds, withDefault } from '../fields/field.ts'

export const payback = calculator({
  title: 'Calls until a cost is earned back',
  section: 'Collectives',
  formula: 'ceil(S / saving)',
  validity: 'The same saving on every call.',
  example: { setup: 1, saving: 0.00271 },
  input: {
    setup: seconds('S, spent once.', { also: ['cost', 'switch_s'] }),
    saving: quantity('s', 'Saved by each call.', { above: 0 }),
  },
  output: { calls: count('Calls.') },
  compute: ({ setup, saving }) => ({ calls: Math.ceil(setup / saving) }),
})

export const overlap = calculator({
  title: 'What running together saves',
  section: 'Collectives',
  formula: 'saved = communication alone + computing alone - together',
  validity: 'Measured times. Times of one alone must not be subtracted from the time together.',
  example: {
    commAlone: 0.03692,
    computeAlone: 0.01103,
    commTogether: 0.04521,
    computeTogether: 0.01289,
    together: 0.04524,
  },
  input: {
    commAlone: seconds('Communication alone.'),
    computeAlone: seconds('Computing alone.'),
    commTogether: seconds('Communication while computing.'),
    computeTogether: seconds('Computing while communicating.'),
    together: seconds('Until both are done.'),
  },
  output: {
    savedSeconds: quantity('s', 'Saved by running together.', { also: ['saved'] }),
    separateSeconds: seconds('One after the other.', { also: ['separate'] }),
    commBound: flag('Whether communication ends last.'),
    savedShare: ratio('Of the time one after the other.'),
    commSlowdown: ratio('Communication together over alone.'),
    computeSlowdown: ratio('Computing together over alone.'),
  },
  compute: (input) => {
    const separateSeconds = input.commAlone + input.computeAlone
    const savedSeconds = separateSeconds - input.together
    const over = (a: number, b: number) => (b === 0 ? 0 : a / b)
    return {
      savedSeconds,
      separateSeconds,
      commBound: input.commTogether > input.computeTogether,
      savedShare: over(savedSeconds, separateSeconds),
      commSlowdown: over(input.commTogether, input.commAlone),
      computeSlowdown: over(input.computeTogether, input.computeAlone),
    }
  },
})

export const scale = calculator({
  title: 'A ratio or product of figures',
  section: 'Operators and steps',
  formula: 'a b / c',
  validity: 'Units are those of the figures.',
  example: { a: 64, b: 2 },
  input: {
    a: ratio('First figure.'),
    b: withDefault(ratio('Factor.'), 1),
    c: withDefault(ratio('Divisor, not 0.'), 1),
  },
  output: { value: ratio('The result.') },
  compute: ({ a, b, c }) => {
    if (c === 0) throw InputError.at('c', 'expected a number other than 0; found 0')
    return { value: (a * b) / c }
  },
})
