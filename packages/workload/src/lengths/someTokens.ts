import { OptionError } from '../parts/errors.ts'
import type { LengthDistribution } from './lengthDistribution.ts'

/** The distribution, unless it gives nothing but 0: there are no requests without tokens. Throws an OptionError. */
export function someTokens<Length extends LengthDistribution>(where: string, length: Length, unit = 'tokens'): Length {
  if (length.meanTokens === 0) throw new OptionError(where, `a length that is not always 0 ${unit}`, '0')
  return length
}
