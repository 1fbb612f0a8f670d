export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
}

/** Columns of equal width, two spaces apart, without lines; numbers to the right. Cells are text already. */
export function table(columns: readonly (Column | string)[], rows: readonly (readonly string[])[]): string {
  const heads = columns.map((column) => (typeof column === 'string' ? { title: column } : column))
  const widths = heads.map((head, at) => Math.max(head.title.length, ...rows.map((row) => (row[at] ?? '').length)))
  const line = (cells: readonly string[]): string =>
    heads
      .map((head, at) => {
        const cell = cells[at] ?? ''
        return (head as Column).align === 'right' ? cell.padStart(widths[at]!) : cell.padEnd(widths[at]!)
      })
      .join('  ')
      .trimEnd()
  const titles = heads.some((head) => head.title !== '') ? [line(heads.map((head) => head.title))] : []
  return [...titles, ...rows.map(line)].join('\n')
}

export const right = (title: string): Column => ({ title, align: 'right' })
