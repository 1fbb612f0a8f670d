import { describe, expect, it } from 'vitest'
import { RandomStream } from '../src/random.ts'

function moments(n: number, draw: () => number): { mean: number; variance: number } {
  let sum = 0
  let squares = 0
  for (let i = 0; i < n; i++) {
    const x = draw()
    sum += x
    squares += x * x
  }
  return { mean: sum / n, variance: squares / n - (sum / n) ** 2 }
}

describe('a random stream', () => {
  it('gives the same numbers for the same seed and name', () => {
    const a = new RandomStream(7, 'arrivals')
    const b = new RandomStream(7, 'arrivals')
    for (let i = 0; i < 1000; i++) expect(a.uniform()).toBe(b.uniform())
  })
  it('gives unrelated numbers for another seed or another name', () => {
    const streams = [
      new RandomStream(7, 'arrivals'),
      new RandomStream(7, 'arrivalt'),
      new RandomStream(7, 'lengths'),
      new RandomStream(8, 'arrivals'),
      new RandomStream(7.5, 'arrivals'),
      new RandomStream(7, ''),
    ]
    const draws = streams.map((s) => Array.from({ length: 500 }, () => s.uniform() - 0.5))
    for (let i = 0; i < draws.length; i++) {
      for (let j = 0; j < i; j++) {
        const product = draws[i]!.reduce((sum, x, k) => sum + x * draws[j]![k]!, 0)
        // The correlation of 500 independent pairs has standard deviation 1/sqrt(500) = 0.045.
        expect(Math.abs((product / 500) * 12)).toBeLessThan(0.2)
      }
    }
  })
  it('keeps the bits it always had', () => {
    const stream = new RandomStream(42, 'golden')
    expect([stream.bits(), stream.bits(), stream.bits()]).toEqual([222094394, 110645302, 2113552314])
  })
  it('reseeding starts it again, without a left-over normal', () => {
    const stream = new RandomStream(1, 'x')
    const first = [stream.normal(), stream.uniform()]
    stream.reseed(1, 'x')
    expect([stream.normal(), stream.uniform()]).toEqual(first)
  })
  it('uniform numbers lie in [0, 1) and fill it evenly', () => {
    const stream = new RandomStream(3, 'uniform')
    const bins = new Array<number>(16).fill(0)
    for (let i = 0; i < 160_000; i++) {
      const u = stream.uniform()
      expect(u >= 0 && u < 1).toBe(true)
      bins[Math.floor(u * 16)]!++
    }
    const chiSquare = bins.reduce((sum, n) => sum + (n - 10_000) ** 2 / 10_000, 0)
    // 15 degrees of freedom: above 37.7 once in a thousand.
    expect(chiSquare).toBeLessThan(37.7)
  })
  it('has the means and variances of its distributions', () => {
    const stream = new RandomStream(11, 'moments')
    const n = 200_000
    const exponential = moments(n, () => stream.exponential(4))
    expect(exponential.mean).toBeCloseTo(4, 1)
    expect(exponential.variance / 16).toBeCloseTo(1, 1)
    const normal = moments(n, () => stream.normal())
    expect(normal.mean).toBeCloseTo(0, 1)
    expect(normal.variance).toBeCloseTo(1, 1)
    for (const shape of [0.3, 1, 4.5]) {
      const gamma = moments(n, () => stream.gamma(shape, 2))
      expect(gamma.mean / (2 * shape)).toBeCloseTo(1, 1)
      expect(gamma.variance / (4 * shape)).toBeCloseTo(1, 0.7)
    }
  })
  it('draws whole numbers and weighted choices in proportion', () => {
    const stream = new RandomStream(5, 'choice')
    const counts = [0, 0, 0, 0]
    const dice = [0, 0, 0, 0, 0, 0]
    for (let i = 0; i < 60_000; i++) {
      counts[stream.choice([1, 0, 3, 2])]!++
      dice[stream.integer(6)]!++
    }
    expect(counts[1]).toBe(0)
    expect(counts[0]! / 10_000).toBeCloseTo(1, 1)
    expect(counts[2]! / 30_000).toBeCloseTo(1, 1)
    for (const count of dice) expect(count / 10_000).toBeCloseTo(1, 1)
  })
  it('refuses a seed that is not a number', () => {
    expect(() => new RandomStream(Number.NaN, 'x')).toThrow('finite')
  })
})
