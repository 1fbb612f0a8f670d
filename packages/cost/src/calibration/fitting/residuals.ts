/** Errors of predictions against measurements, in per cent. */
export interface Residuals {
  rows: number
  medianPercent: number
  p90Percent: number
  /** Median signed error: above 0 when predictions are too long. */
  biasPercent: number
}

const quantile = (sorted: readonly number[], q: number): number => {
  const position = q * (sorted.length - 1)
  const low = Math.floor(position)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low]! + (position - low) * (sorted[high]! - sorted[low]!)
}

/** Errors of `predicted` against `measured`; undefined for no rows. */
export function residualsOf(rows: readonly { predicted: number; measured: number }[]): Residuals | undefined {
  if (rows.length === 0) return undefined
  const signed = rows.map(({ predicted, measured }) => 100 * (predicted / measured - 1)).sort((a, b) => a - b)
  const absolute = signed.map(Math.abs).sort((a, b) => a - b)
  return {
    rows: rows.length,
    medianPercent: quantile(absolute, 0.5),
    p90Percent: quantile(absolute, 0.9),
    biasPercent: quantile(signed, 0.5),
  }
}
