import { CostInputError } from '../costInputError.ts'

/**
 * How many times larger each figure of one accelerator is than the same figure of another: FLOP/s, bytes, prices. Book
 * ch. 12 (H200 and v5p).
 * @throws CostInputError for a figure that the other lacks or that is zero there
 */
export function figureRatios<Name extends string>(
  of: Readonly<Record<Name, number>>,
  over: Readonly<Record<Name, number>>,
): Readonly<Record<Name, number>> {
  const ratios = Object.entries<number>(of).map(([name, value]) => {
    const other = over[name as Name]
    if (other > 0) return [name, value / other]
    const expected = 'a figure of both, above zero in the second'
    throw new CostInputError({ where: 'figureRatios', quantity: name, expected, found: other })
  })
  return Object.fromEntries(ratios) as Record<Name, number>
}
