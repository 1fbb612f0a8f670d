/**
 * Jain's fairness index, (sum x)^2 / (n sum x^2): 1 when all are equal, 1/n when one has everything (Jain, Chiu and Hawe,
 * DEC-TR-301, 1984). Undefined for no value, or when all are 0.
 */
export function jainIndex(values: readonly number[]): number | undefined {
  const sum = values.reduce((total, value) => total + value, 0)
  const squares = values.reduce((total, value) => total + value * value, 0)
  return squares === 0 ? undefined : (sum * sum) / (values.length * squares)
}
