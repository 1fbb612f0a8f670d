/** Two-sided 95 % quantiles of Student's t for 1, 2, 3 ... degrees of freedom. */
const studentT95 = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228, 2.201]

/** A mean with the half width of its 95 % confidence interval; no interval for fewer than two values. */
export interface Estimate {
  mean: number
  halfWidth: number | undefined
}

/** Mean and confidence interval of a few values; undefined for none. */
export const estimate = (values: readonly number[]): Estimate | undefined => {
  const n = values.length
  if (n === 0) return undefined
  const mean = values.reduce((sum, value) => sum + value, 0) / n
  if (n === 1) return { mean, halfWidth: undefined }
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (n - 1)
  const t = studentT95[Math.min(n - 2, studentT95.length - 1)] ?? 1.96
  return { mean, halfWidth: t * Math.sqrt(variance / n) }
}

/**
 * The difference of two variants over the same seeds, pair by pair: the same traffic in both, so that what traffic does
 * cancels out. Undefined where no seed has both values.
 */
export const pairedDifference = (
  first: readonly (number | undefined)[],
  second: readonly (number | undefined)[],
): Estimate | undefined =>
  estimate(
    second.flatMap((value, index) => {
      const other = first[index]
      return value === undefined || other === undefined ? [] : [value - other]
    }),
  )

/** Whether the interval leaves zero out; with one seed nothing can be said. */
export const isClear = ({ mean, halfWidth }: Estimate): boolean => halfWidth !== undefined && Math.abs(mean) > halfWidth
