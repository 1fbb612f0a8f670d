import { MeasuredRunError } from './measuredRunError.ts'

export type CsvRow = Readonly<Record<string, string>>

/** Cells of one line; a cell in double quotes may hold commas, and two quotes stand for one. */
function cellsOf(line: string): string[] {
  if (!line.includes('"')) return line.split(',')
  const cells: string[] = []
  let cell = ''
  let quoted = false
  for (let i = 0; i < line.length; i++) {
    const char = line[i]!
    if (quoted && char === '"' && line[i + 1] === '"') {
      cell += '"'
      i++
    } else if (char === '"') quoted = !quoted
    else if (char === ',' && !quoted) {
      cells.push(cell)
      cell = ''
    } else cell += char
  }
  return [...cells, cell]
}

/** Rows of a CSV text with a header line, by column. Throws MeasuredRunError when a needed column is missing. */
export function readCsv(text: string, where: string, needed: readonly string[]): CsvRow[] {
  const lines = text.split(/\r?\n/)
  const header = cellsOf(lines[0] ?? '')
  const missing = needed.filter((column) => !header.includes(column))
  if (missing.length > 0) {
    throw new MeasuredRunError(where, `lacks the columns ${missing.join(', ')}; found: ${header.join(', ')}`)
  }
  return lines.slice(1).flatMap((line) => {
    if (line === '') return []
    const cells = cellsOf(line)
    return [Object.fromEntries(header.map((column, i) => [column, cells[i] ?? '']))]
  })
}

/** The number in a cell; undefined where it is blank or no number. */
export function cellNumber(row: CsvRow, column: string): number | undefined {
  const cell = row[column]
  if (cell === undefined || cell === '') return undefined
  const value = Number(cell)
  return Number.isFinite(value) ? value : undefined
}
