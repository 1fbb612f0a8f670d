import type { TrafficContext } from '../context.ts'
import { OptionError } from '../parts/errors.ts'
import { definePart } from '../parts/part.ts'
import { MOST_TOKENS, optional, tokens, withDefault } from '../parts/units.ts'
import type { LengthDistribution } from './lengthDistribution.ts'

/** Registers a distribution of lengths. */
export const lengthPart = definePart<LengthDistribution, TrafficContext>()

/** The bounds that every random length has: a drawn length outside becomes the bound. */
export const bounds = {
  minimum: withDefault(tokens('Least length: a shorter draw becomes this long.', { minimum: 0 }), 1),
  maximum: optional(tokens('Greatest length: a longer draw becomes this long.')),
} as const

/** Rounds draws to whole tokens within the bounds. */
export function bounded(
  values: { readonly minimum: number; readonly maximum: number | undefined },
  meanTokens: number | undefined,
  draw: () => number,
): LengthDistribution {
  const least = values.minimum
  const most = values.maximum ?? MOST_TOKENS
  if (most < least) throw new OptionError('maximum', `at least the minimum of ${least}`, String(most))
  return {
    meanTokens,
    next: () => {
      const length = Math.round(draw())
      return length < least ? least : Math.min(length, most)
    },
  }
}
