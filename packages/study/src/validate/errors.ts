import type { Figures, Quantity, RunErrors, RunFigures } from './measured/measuredRun.ts'

/** The statistic that is compared: the mean, or the median where only that was measured. Seconds. */
export const levelOf = (figures: Figures | undefined): number | undefined => figures?.mean ?? figures?.p50

/** Predicted and measured of one quantity by the same statistic; undefined where either lacks it. */
export function comparable(
  predicted: RunFigures,
  measured: RunFigures,
  quantity: Quantity,
): { predicted: number; measured: number } | undefined {
  if (quantity === 'throughput') return pairOf(predicted.outputTokensPerSecond, measured.outputTokensPerSecond)
  const found = measured[quantity]
  if (found === undefined) return undefined
  const statistic = found.mean === undefined ? 'p50' : 'mean'
  return pairOf(predicted[quantity]?.[statistic], found[statistic])
}

const pairOf = (predicted: number | undefined, measured: number | undefined) =>
  predicted === undefined || measured === undefined || measured <= 0 ? undefined : { predicted, measured }

/** Signed errors of the quantities that both sides have, as fractions of the measured figure. */
export function errorsOf(predicted: RunFigures, measured: RunFigures, quantities: readonly Quantity[]): RunErrors {
  const errors: RunErrors = {}
  for (const quantity of quantities) {
    const pair = comparable(predicted, measured, quantity)
    if (pair !== undefined) errors[quantity] = pair.predicted / pair.measured - 1
  }
  return errors
}

/** Errors of many runs in one quantity, as fractions; absolute but for the last but one. */
export interface ErrorSummary {
  medianApe: number
  meanApe: number
  p90Ape: number
  worstApe: number
  medianSigned: number
  runs: number
}

/** Quantile of sorted values, linear between ranks. */
function quantile(sorted: readonly number[], q: number): number {
  const rank = q * (sorted.length - 1)
  const low = Math.floor(rank)
  const high = Math.min(low + 1, sorted.length - 1)
  return sorted[low]! + (rank - low) * (sorted[high]! - sorted[low]!)
}

/** Sums up signed errors; undefined of none. */
export function summaryOf(signed: readonly number[]): ErrorSummary | undefined {
  if (signed.length === 0) return undefined
  const absolute = signed.map(Math.abs).sort((a, b) => a - b)
  return {
    medianApe: quantile(absolute, 0.5),
    meanApe: absolute.reduce((sum, error) => sum + error, 0) / absolute.length,
    p90Ape: quantile(absolute, 0.9),
    worstApe: absolute.at(-1)!,
    medianSigned: quantile(
      [...signed].sort((a, b) => a - b),
      0.5,
    ),
    runs: signed.length,
  }
}
