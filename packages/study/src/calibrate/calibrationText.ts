import type { Residuals } from '@windtunnel/cost/calibration/fitting/residuals'
import { type Quantity, quantities } from '../validate/measured/measuredRun.ts'
import type { KernelCalibration } from './fromKernels.ts'
import type { Errors, ServingCalibration } from './fromServing.ts'

/** Residuals of every fit, on rows that it saw and on rows that it did not. */
export function kernelCalibrationText({ fitted, unknown }: KernelCalibration): string {
  const lines = fitted.flatMap(({ accelerator, operations }) => [
    `${accelerator}: error in %, median / 90th percentile, on rows seen and unseen`,
    ...operations.map(
      ({ operation, dtype, kernel, seen, unseen }) =>
        `  ${operation.padEnd(24)} ${dtype.padEnd(10)} ${residualText(seen).padEnd(24)} ${residualText(unseen).padEnd(24)} ${kernel}`,
    ),
  ])
  const strangers = unknown.map(
    ({ name, rows }) => `not in the registry of accelerators, left aside: ${name}, ${rows} rows`,
  )
  return [...lines, ...strangers].join('\n')
}

const residualText = (residuals: Residuals | undefined): string =>
  residuals === undefined
    ? '-'
    : `${residuals.medianPercent.toFixed(1)} / ${residuals.p90Percent.toFixed(1)} (${residuals.rows} rows)`

/** Errors before and after a fit to serving runs, and for runs that it did not see. */
export function servingCalibrationText({ fits }: ServingCalibration): string {
  return fits
    .map((fit) =>
      [
        `${fit.engine}, ${fit.runs.length} runs`,
        ...fit.values.map(
          ({ name, meaning, before, after }) =>
            `  ${name.padEnd(32)} ${quantity(before).padStart(10)} -> ${quantity(after).padStart(10)}  ${meaning}`,
        ),
        `  error in %, median / 90th percentile: ${quantities.filter((one) => fit.before[one] !== undefined).join(', ')}`,
        `    before          ${errorsText(fit.before)}`,
        `    after           ${errorsText(fit.after)}`,
        ...(fit.leftOut === undefined ? [] : [`    not seen by fit ${errorsText(fit.leftOut)}`]),
      ].join('\n'),
    )
    .join('\n\n')
}

const quantity = (seconds: number): string =>
  seconds === 0 ? '0' : seconds < 1e-4 ? `${(seconds * 1e6).toPrecision(3)} us` : `${(seconds * 1e3).toPrecision(3)} ms`

const errorsText = (errors: Errors): string =>
  quantities
    .flatMap((one: Quantity) => {
      const found = errors[one]
      return found === undefined ? [] : [`${(100 * found.medianApe).toFixed(1)} / ${(100 * found.p90Ape).toFixed(1)}`]
    })
    .join('   ')
