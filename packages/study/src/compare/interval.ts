import { studentT } from './studentT.ts'

/** A mean over replications with the interval that holds the true mean with the given confidence. */
export interface Interval {
  readonly mean: number
  /** Half the width; undefined with fewer than two replications. */
  readonly halfWidth: number | undefined
  readonly replications: number
}

/** Student's interval for the mean of independent values; undefined without values. */
export function meanInterval(values: readonly number[], confidence: number): Interval | undefined {
  const n = values.length
  if (n === 0) return undefined
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  if (n === 1) return { mean, halfWidth: undefined, replications: n }
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
  const standardError = Math.sqrt(squares / (n - 1) / n)
  return { mean, halfWidth: studentT(confidence, n - 1) * standardError, replications: n }
}

/**
 * Student's paired interval for `others - base`: replication i of both saw the same traffic, so that what the traffic does
 * to both falls out. Pairs of which one is undefined are left out; undefined when none is left.
 */
export function pairedInterval(
  base: readonly (number | undefined)[],
  others: readonly (number | undefined)[],
  confidence: number,
): Interval | undefined {
  const differences: number[] = []
  for (const [i, other] of others.entries()) {
    const first = base[i]
    if (first !== undefined && other !== undefined) differences.push(other - first)
  }
  return meanInterval(differences, confidence)
}

/** Whether the interval lies wholly on one side of zero. */
export const isClear = ({ mean, halfWidth }: Interval): boolean => halfWidth !== undefined && Math.abs(mean) > halfWidth
