import { pow } from '@windtunnel/des'

/** Popularity of expert i of a skewed layer: i to this power. Fits tables measured under a power law of exponent 1.2 best. */
const POPULARITY_EXPONENT = -0.6

/** Experts of like popularity are taken together in this many classes. */
const CLASSES = 16

/** Chance that a token visits an expert of each class, classes of equal size, by layer. */
const chances = new Map<string, readonly number[]>()

function visitChances(experts: number, expertsPerToken: number): readonly number[] {
  const key = `${experts}/${expertsPerToken}`
  const known = chances.get(key)
  if (known !== undefined) return known
  const size = experts / CLASSES
  const popularity = Array.from({ length: CLASSES }, (_, i) => pow((i + 0.5) * size + 0.5, POPULARITY_EXPONENT))
  const sum = popularity.reduce((total, each) => total + each * size, 0)
  const found = popularity.map((each) => Math.min(1, (each / sum) * expertsPerToken))
  chances.set(key, found)
  return found
}

/** Experts that at least one of `tokens` tokens visits when experts are unequally popular. */
function touchedSkewed(experts: number, expertsPerToken: number, tokens: number): number {
  let touched = 0
  for (const chance of visitChances(experts, expertsPerToken)) touched += 1 - pow(1 - chance, tokens)
  return Math.max(expertsPerToken, (touched * experts) / CLASSES)
}

/**
 * Experts of a layer that a batch touches: every visit another expert until all are in use at skew 0 (as balanced tables are
 * measured), by popularity at skew 1, and in proportion between them.
 */
export function touchedAtSkew(experts: number, expertsPerToken: number, tokens: number, skew: number): number {
  const even = Math.min(experts, tokens * expertsPerToken)
  if (skew === 0) return even
  return even + skew * (touchedSkewed(experts, expertsPerToken, tokens) - even)
}
