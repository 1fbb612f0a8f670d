import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Calibration, calibrate } from '@windtunnel/cost/calibration/calibrate'
import type { KernelRow } from '@windtunnel/cost/calibration/kernelRow'
import { peaksOf } from '@windtunnel/cost/calibration/kernels/peaks'
import { readKernelTable } from '@windtunnel/cost/calibration/kernelTable'
import type { ParameterFile } from '@windtunnel/cost/calibration/parameterFile'
import { accelerator } from '@windtunnel/hardware'
import { MeasuredRunError } from '../validate/measured/measuredRunError.ts'

/** What a calibration from kernel tables found. */
export interface KernelCalibration {
  file: ParameterFile
  /** By accelerator: how well each operation was fitted. */
  fitted: { accelerator: string; operations: Calibration['fitted'] }[]
  /** Accelerators of the tables that the registry does not know, and how many rows they had. */
  unknown: { name: string; rows: number }[]
}

/** Operations whose tables hold no kernels of their own. */
const NOT_KERNELS = /^(step|e2e|fitted)/

/**
 * Fits every kernel table (`*.csv` with columns gpu, dtype, op, kernel, time_us, source and sizes) of a directory. Every
 * fourth row of each fit is kept out and judged as unseen.
 */
export function calibrateKernels(directory: string, only?: string): KernelCalibration {
  if (!existsSync(directory)) throw new MeasuredRunError(directory, 'there is no such directory')
  const names = readdirSync(directory).filter((name) => name.endsWith('.csv') && !NOT_KERNELS.test(name))
  const rows = names.flatMap((name) => readKernelTable(readFileSync(join(directory, name), 'utf8'), name))
  if (rows.length === 0) throw new MeasuredRunError(directory, 'holds no kernel tables (*.csv)')
  const calibration: KernelCalibration = {
    file: { windtunnelParameters: 1, kernels: [], engines: [] },
    fitted: [],
    unknown: [],
  }
  const kernels: ParameterFile['kernels'][number][] = []
  for (const [name, group] of byAccelerator(rows)) {
    const found = known(name)
    if (found === undefined) {
      calibration.unknown.push({ name, rows: group.length })
      continue
    }
    if (only !== undefined && known(only)?.name !== found.name) continue
    const source = `${group.length} rows of ${names.length} tables in ${directory}`
    const { parameters, fitted } = calibrate(group, { accelerator: found.name, source, peaks: peaksOf(found) })
    kernels.push(parameters)
    calibration.fitted.push({ accelerator: found.name, operations: fitted })
  }
  calibration.file = { ...calibration.file, kernels }
  return calibration
}

function byAccelerator(rows: readonly KernelRow[]): Map<string, KernelRow[]> {
  const groups = new Map<string, KernelRow[]>()
  for (const row of rows) {
    const group = groups.get(row.accelerator)
    if (group === undefined) groups.set(row.accelerator, [row])
    else group.push(row)
  }
  return groups
}

function known(name: string) {
  try {
    return accelerator(name)
  } catch {
    return undefined
  }
}
