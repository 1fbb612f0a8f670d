import { CostInputError } from '../costInputError.ts'
import { type StepDtype, stepDtypeNames } from '../step/dtypes.ts'
import type { KernelRow } from './kernelRow.ts'

const REQUIRED = ['gpu', 'dtype', 'op', 'kernel', 'time_us', 'source']
const TEXT = new Set(['gpu', 'dtype', 'op', 'kernel', 'source', 'heldout_kind'])

/**
 * Reads a kernel table: CSV with a header line; columns gpu, dtype, op, kernel, time_us, source, optionally suspect, and
 * any number of sizes. Throws CostInputError for a missing column, an unknown format or a size that is no number.
 */
export function readKernelTable(csv: string, where = 'kernel table'): KernelRow[] {
  const lines = csv.split(/\r?\n/)
  const header = (lines[0] ?? '').split(',')
  for (const column of REQUIRED) {
    if (!header.includes(column)) {
      const expected = `present; needed are ${REQUIRED.join(', ')}`
      throw new CostInputError({ where, quantity: `column ${column}`, expected, found: lines[0] })
    }
  }
  const rows: KernelRow[] = []
  for (let i = 1; i < lines.length; i++) {
    const line = lines[i]!
    if (line !== '') rows.push(readRow(header, line.split(','), `${where}, line ${i + 1}`))
  }
  return rows
}

function readRow(header: readonly string[], cells: readonly string[], where: string): KernelRow {
  const text: Record<string, string> = {}
  const sizes: Record<string, number> = {}
  for (let i = 0; i < header.length; i++) {
    const column = header[i]!
    const cell = cells[i] ?? ''
    if (TEXT.has(column)) text[column] = cell
    else if (cell !== '') {
      const size = Number(cell)
      if (Number.isNaN(size)) throw new CostInputError({ where, quantity: column, expected: 'a number', found: cell })
      sizes[column] = size
    }
  }
  const { time_us: microseconds, suspect, ...rest } = sizes
  if (microseconds === undefined || microseconds <= 0) {
    throw new CostInputError({ where, quantity: 'time_us', expected: 'above zero', found: microseconds })
  }
  return {
    accelerator: text['gpu'] ?? '',
    dtype: dtypeOf(text['dtype'] ?? '', where),
    operation: text['op'] ?? '',
    kernel: text['kernel'] ?? '',
    source: text['source'] ?? '',
    seconds: microseconds * 1e-6,
    suspect: suspect === 1,
    sizes: rest,
  }
}

function dtypeOf(name: string, where: string): StepDtype {
  const dtype = name.replaceAll('_', '-')
  if (stepDtypeNames.includes(dtype as StepDtype)) return dtype as StepDtype
  throw new CostInputError({ where, quantity: 'dtype', expected: `one of ${stepDtypeNames.join(', ')}`, found: name })
}
