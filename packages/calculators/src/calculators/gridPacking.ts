import { calculator } from '../calculator.ts'
import { InputError } from '../edge/inputError.ts'
import { count, degree, list, text } from '../fields/field.ts'

export const gridPacking = calculator({
  title: 'Square jobs that fit a grid of chips',
  section: 'Topology',
  formula: 'most disjoint b x b blocks of free chips',
  validity: 'Neighbours only; no wrap-around. The most there is, not a greedy count.',
  example: { free: ['1111', '1111', '0000', '0000'], block: 2 },
  input: {
    free: list(text('A row: 1 free, 0 taken.'), 'Rows of the grid, at most 12 wide.', { minimumItems: 1 }),
    block: degree('b, side of a job.', { also: ['b'] }),
  },
  output: { free: count('Free chips.'), jobs: count('Jobs that fit.', { also: ['blocks'] }) },
  compute: ({ free, block }) => {
    const width = free[0]!.length
    if (width > 12) throw InputError.at('free', `expected rows of at most 12 chips; found ${width}`)
    if (free.some((row) => row.length !== width || /[^01]/.test(row)))
      throw InputError.at('free', 'expected rows of one length, of 1 (free) and 0 (taken) only')
    const chips = free.join('').replaceAll('0', '').length
    return { free: chips, jobs: mostBlocks(free, block) }
  },
})

/** Rows of a state are how many further rows each column stays taken by blocks begun above. */
function mostBlocks(grid: readonly string[], block: number): number {
  const width = grid[0]!.length
  let best = new Map<string, number>([['0'.repeat(width), 0]])
  for (let row = 0; row < grid.length; row += 1) {
    const next = new Map<string, number>()
    const begins = Array.from({ length: width }, (_, column) => blockIsFree(grid, row, column, block))
    for (const [state, jobs] of best) {
      for (const choice of choicesOf([...state].map(Number), begins, block)) {
        const below = choice.heights.map((height) => Math.max(0, height - 1)).join('')
        next.set(below, Math.max(next.get(below) ?? 0, jobs + choice.jobs))
      }
    }
    best = next
  }
  return Math.max(...best.values())
}

function blockIsFree(grid: readonly string[], row: number, column: number, block: number): boolean {
  if (row + block > grid.length || column + block > grid[0]!.length) return false
  return grid.slice(row, row + block).every((line) => !line.slice(column, column + block).includes('0'))
}

interface Choice {
  readonly heights: readonly number[]
  readonly jobs: number
}

/** Every set of blocks that may begin in a row, given what earlier blocks still take. */
function choicesOf(heights: readonly number[], begins: readonly boolean[], block: number, from = 0): Choice[] {
  if (from >= heights.length) return [{ heights, jobs: 0 }]
  const found = choicesOf(heights, begins, block, from + 1)
  const open = begins[from] === true && heights.slice(from, from + block).every((height) => height === 0)
  if (!open) return found
  const taken = heights.map((height, column) => (column >= from && column < from + block ? block : height))
  const rest = choicesOf(taken, begins, block, from + block).map((one) => ({ ...one, jobs: one.jobs + 1 }))
  return [...found, ...rest]
}
