/** Greatest whole number that divides both. */
export function greatestCommonDivisor(first: number, second: number): number {
  return second === 0 ? first : greatestCommonDivisor(second, first % second)
}

/** Largest divisor of `of` that is at most `limit`; 1 where the limit is below 1. */
export function largestDivisorUpTo(of: number, limit: number): number {
  for (let divisor = Math.min(of, Math.floor(limit)); divisor > 1; divisor--) if (of % divisor === 0) return divisor
  return 1
}
