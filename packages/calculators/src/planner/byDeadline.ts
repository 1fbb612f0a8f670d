import type { EvaluatedLayout } from './evaluateLayout.ts'
import type { Plan, PlanInput, PlanOption } from './planFields.ts'

interface Candidate {
  readonly option: PlanOption
  /** Response times, the shortest first. */
  readonly responses: readonly number[]
}

/** Layouts that fit and keep to the time between tokens, whatever the deadline. */
const candidatesOf = (evaluated: readonly EvaluatedLayout[]): readonly Candidate[] =>
  evaluated.flatMap((one) => {
    const found = one.feasible ? one : one.late
    if (found === undefined) return []
    return [{ option: found.option, responses: found.responses.toSorted((a, b) => a - b) }]
  })

/**
 * The best layout as the deadline moves. On-time counts change only at response times, so the answer is exact: cost per
 * on-time session at every such time, neighbours with one answer joined.
 */
export function bestByDeadline(evaluated: readonly EvaluatedLayout[], input: PlanInput): Plan['byDeadline'] {
  const candidates = candidatesOf(evaluated)
  const moments = [...new Set(candidates.flatMap((one) => one.responses))].sort((a, b) => a - b)
  const ranges: Plan['byDeadline'][number][] = []
  for (const from of moments) {
    const best = bestAt(candidates, from, input)
    if (best === undefined) continue
    const before = ranges.at(-1)
    if (before?.layout === best.layout && before.costPerOnTime === best.costPerOnTime) continue
    ranges.push({ from, ...best })
  }
  return ranges
}

function bestAt(candidates: readonly Candidate[], deadline: number, { fraction, rankBy }: PlanInput) {
  let best: { layout: string; costPerOnTime: number; score: number; lastDone: number } | undefined
  for (const { option, responses } of candidates) {
    const onTime = countUpTo(responses, deadline)
    if (onTime === 0 || onTime < fraction * responses.length * (1 - 1e-12)) continue
    const costPerOnTime = option.cost / onTime
    const score = { cost: costPerOnTime, time: option.lastDone, perToken: option.longestGap }[rankBy]
    const isBetter =
      best === undefined || score < best.score || (score === best.score && option.lastDone < best.lastDone)
    if (isBetter) best = { layout: option.layout, costPerOnTime, score, lastDone: option.lastDone }
  }
  return best === undefined ? undefined : { layout: best.layout, costPerOnTime: best.costPerOnTime }
}

/** How many of ascending values are at most `limit`. */
function countUpTo(values: readonly number[], limit: number): number {
  let low = 0
  let high = values.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (values[middle]! <= limit) low = middle + 1
    else high = middle
  }
  return low
}
