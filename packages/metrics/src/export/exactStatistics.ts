/** Values with weights: `weights[i]` times `values[i]`, values rising. */
export interface WeightedValues {
  readonly values: readonly number[]
  readonly weights: readonly number[]
}

/** Exact figures of a sample as other tools compute them: population deviation, linear percentiles (NumPy's default). */
export interface ExactStatistics {
  readonly count: number
  readonly sum: number
  readonly mean: number
  readonly deviation: number
  readonly least: number
  readonly largest: number
  /** `percent` from 0 to 100. */
  percentile(percent: number): number
}

/** Figures of values that weigh one each; undefined for none. */
export function statisticsOf(values: readonly number[]): ExactStatistics | undefined {
  const sorted = [...values].sort((a, b) => a - b)
  return weightedStatistics({ values: sorted, weights: sorted.map(() => 1) })
}

/** Figures of weighted values; undefined for none. */
export function weightedStatistics({ values, weights }: WeightedValues): ExactStatistics | undefined {
  const count = weights.reduce((sum, weight) => sum + weight, 0)
  if (count === 0) return undefined
  let sum = 0
  values.forEach((value, index) => {
    sum += value * weights[index]!
  })
  const mean = sum / count
  let squares = 0
  values.forEach((value, index) => {
    squares += (value - mean) * (value - mean) * weights[index]!
  })
  const atRank = rankReader(values, weights)
  return {
    count,
    sum,
    mean,
    deviation: Math.sqrt(squares / count),
    least: values[0]!,
    largest: values.at(-1)!,
    percentile: (percent) => {
      const position = (percent / 100) * (count - 1)
      const below = atRank(Math.floor(position))
      return below + (atRank(Math.ceil(position)) - below) * (position - Math.floor(position))
    },
  }
}

/** Reads the value at a rank (0 is the least) by bisection over cumulative weights. */
function rankReader(values: readonly number[], weights: readonly number[]): (rank: number) => number {
  let sum = 0
  const ends = weights.map((weight) => {
    sum += weight
    return sum
  })
  return (rank) => {
    let low = 0
    let high = ends.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (ends[middle]! > rank) high = middle
      else low = middle + 1
    }
    return values[low]!
  }
}
