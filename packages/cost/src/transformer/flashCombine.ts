import { exp } from '@windtunnel/des/math'
import { CostInputError } from '../costInputError.ts'

/** What a chunk of attention knows of the softmax over its keys. */
export interface SoftmaxPart {
  /** Largest logit of the chunk. */
  maximum: number
  /** Sum of exp(logit - maximum) over the chunk. */
  denominator: number
}

/**
 * Joins two chunks of a softmax: `M = max(M1, M2)`, `L = exp(M1-M) L1 + exp(M2-M) L2`. Associative and commutative, which
 * is what lets the keys be split over chunks or devices. Book ch. 4, M17.
 */
export function combineSoftmax(first: SoftmaxPart, second: SoftmaxPart): SoftmaxPart {
  for (const part of [first, second]) {
    if (!Number.isFinite(part.maximum) || !(part.denominator >= 0)) {
      throw new CostInputError({
        where: 'combineSoftmax',
        quantity: 'part',
        expected: 'a finite maximum and a denominator of zero or above',
        found: JSON.stringify(part),
      })
    }
  }
  const maximum = Math.max(first.maximum, second.maximum)
  const denominator =
    exp(first.maximum - maximum) * first.denominator + exp(second.maximum - maximum) * second.denominator
  return { maximum, denominator }
}
