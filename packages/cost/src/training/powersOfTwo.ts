/** Largest power of two at or below a value of 1 or more. */
export function powerOfTwoBelow(value: number): number {
  let power = 1
  while (power * 2 <= value) power *= 2
  return power
}

/** Power of two nearest on a logarithmic scale to a value of 1 or more. */
export function nearestPowerOfTwo(value: number): number {
  const below = powerOfTwoBelow(value)
  return value * value >= 2 * below * below ? 2 * below : below
}
