import { pow, type RandomStream } from '@windtunnel/des'
import { weightedIndex } from '../lengths/table.ts'

/** Draws 0 .. n - 1 with probability falling as rank^-exponent; 0 makes all alike. */
export function popularity(n: number, exponent: number, random: RandomStream): () => number {
  if (exponent === 0) return () => random.integer(n)
  const { draw } = weightedIndex(Float64Array.from({ length: n }, (_, i) => pow(i + 1, -exponent)))
  return () => draw(random)
}
