import { CostInputError } from '../costInputError.ts'

/** One straight piece: y = base + slope * x up to and including `until`. */
export interface Segment {
  base: number
  slope: number
  until: number
}

/** Beyond the ends the outer pieces go on, but flat where they would fall below zero at 0, or fall for ever. */
function extended(segments: Segment[], first: { x: number; y: number }, last: { x: number; y: number }): Segment[] {
  if (segments[0]!.base <= 0) segments.unshift({ base: first.y, slope: 0, until: first.x })
  if (segments.at(-1)!.slope < 0) segments.push({ base: last.y, slope: 0, until: Number.POSITIVE_INFINITY })
  segments.at(-1)!.until = Number.POSITIVE_INFINITY
  return segments
}

/** A function through points with y > 0, straight between them. */
export class Curve {
  private readonly segments: readonly Segment[]

  /** At least one point; x ascending after sorting and without repeats. Throws CostInputError for a repeated x. */
  constructor(points: readonly { x: number; y: number }[]) {
    const sorted = [...points].sort((a, b) => a.x - b.x)
    const segments: Segment[] = []
    for (let i = 1; i < sorted.length; i++) {
      const from = sorted[i - 1]!
      const to = sorted[i]!
      if (from.x === to.x) {
        throw new CostInputError({
          where: 'a curve',
          quantity: 'x',
          expected: 'different for every point',
          found: to.x,
        })
      }
      const slope = (to.y - from.y) / (to.x - from.x)
      segments.push({ base: from.y - slope * from.x, slope, until: to.x })
    }
    if (segments.length === 0) segments.push({ base: sorted[0]!.y, slope: 0, until: 0 })
    this.segments = extended(segments, sorted[0]!, sorted.at(-1)!)
  }

  segmentAt(x: number): Segment {
    let i = 0
    while (x > this.segments[i]!.until) i++
    return this.segments[i]!
  }
}
