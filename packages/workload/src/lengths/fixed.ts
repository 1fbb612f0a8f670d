import { tokens } from '../parts/units.ts'
import { lengthPart } from './part.ts'

export const fixed = lengthPart({
  name: 'fixed',
  sentence: 'Always the same length.',
  options: { tokens: tokens('The length.', { minimum: 0 }) },
  create: ({ tokens: length }) => ({ meanTokens: length, next: () => length }),
})
