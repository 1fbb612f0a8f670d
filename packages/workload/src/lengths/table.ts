import type { RandomStream } from '@windtunnel/des'
import type { LengthDistribution } from './lengthDistribution.ts'

/** An index drawn by weight in O(log n): binary search in the running sums. */
export function weightedIndex(weights: ArrayLike<number>): { total: number; draw(random: RandomStream): number } {
  const sums = new Float64Array(weights.length)
  let total = 0
  for (let i = 0; i < weights.length; i++) {
    total += weights[i]!
    sums[i] = total
  }
  const draw = (random: RandomStream): number => {
    const at = random.uniform() * total
    let low = 0
    let high = sums.length - 1
    while (low < high) {
      const middle = (low + high) >> 1
      if (sums[middle]! > at) high = middle
      else low = middle + 1
    }
    return low
  }
  return { total, draw }
}

/** Given lengths with given weights. */
export function table(lengths: Float64Array, weights: Float64Array, random: RandomStream): LengthDistribution {
  const { total, draw } = weightedIndex(weights)
  let mean = 0
  for (let i = 0; i < lengths.length; i++) mean += (lengths[i]! * weights[i]!) / total
  return { meanTokens: mean, next: () => lengths[draw(random)]! }
}
