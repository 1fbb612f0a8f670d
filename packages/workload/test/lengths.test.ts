import { describe, expect, it } from 'vitest'
import { createPromptTree, type LengthName, lengths, trafficParts } from '../src/index.ts'

const make = (spec: { name: LengthName; [option: string]: unknown }, seed = 1) =>
  trafficParts(seed, 'test', createPromptTree()).length('it', spec, 'length')

const examples = {
  exponential: { name: 'exponential', mean: 200 },
  fixed: { name: 'fixed', tokens: 200 },
  lognormal: { name: 'lognormal', mean: 200, cv: 1 },
  normal: { name: 'normal', mean: 200, standardDeviation: 30 },
  pareto: { name: 'pareto', scale: 120, shape: 2.5 },
  quantiles: {
    name: 'quantiles',
    points: [
      { quantile: 0, tokens: 0 },
      { quantile: 0.5, tokens: 100 },
      { quantile: 1, tokens: 600 },
    ],
  },
  uniform: { name: 'uniform', minimum: 100, maximum: 300 },
  values: {
    name: 'values',
    values: [
      { tokens: 100, weight: 3 },
      { tokens: 500, weight: 1 },
    ],
  },
  zipf: { name: 'zipf', exponent: 0, minimum: 1, maximum: 399 },
} as const satisfies Record<LengthName, { name: LengthName; [option: string]: unknown }>

const draws = (name: LengthName, n: number) => {
  const distribution = make(examples[name])
  return Array.from({ length: n }, () => distribution.next())
}

describe.each(Object.keys(lengths) as LengthName[])('%s lengths', (name) => {
  it('are whole numbers with the mean they say (200 tokens here), the same for the same seed', () => {
    const drawn = draws(name, 50_000)
    expect(drawn.every((length) => Number.isInteger(length) && length >= 0)).toBe(true)
    expect(make(examples[name]).meanTokens).toBeCloseTo(200, 6)
    expect(drawn.reduce((sum, length) => sum + length, 0) / drawn.length / 200).toBeCloseTo(1, 1.3)
    expect(drawn.slice(0, 100)).toEqual(draws(name, 100))
  })
})

describe('the shapes of lengths', () => {
  it('lognormal with cv 1: median = mean / sqrt(2)', () => {
    const sorted = draws('lognormal', 50_000).sort((a, b) => a - b)
    expect(sorted[25_000]! / (200 / Math.SQRT2)).toBeCloseTo(1, 1)
  })
  it('uniform lengths reach both bounds and nothing beyond', () => {
    const drawn = draws('uniform', 20_000)
    expect(Math.min(...drawn)).toBe(100)
    expect(Math.max(...drawn)).toBe(300)
  })
  it('bounds cut draws off at the bound', () => {
    const distribution = make({ name: 'normal', mean: 10, standardDeviation: 100, minimum: 5, maximum: 20 })
    const drawn = Array.from({ length: 1000 }, () => distribution.next())
    expect(Math.min(...drawn)).toBe(5)
    expect(Math.max(...drawn)).toBe(20)
  })
  it('zipf of exponent 1: the first length is twice as frequent as the second', () => {
    const distribution = make({ name: 'zipf', exponent: 1, minimum: 10, maximum: 100 })
    const drawn = Array.from({ length: 50_000 }, () => distribution.next())
    const count = (length: number) => drawn.filter((value) => value === length).length
    expect(count(10) / count(11) / 2).toBeCloseTo(1, 1)
  })
  it('pareto: a share 2^-shape is above twice the scale', () => {
    const above = draws('pareto', 50_000).filter((length) => length > 240).length
    expect(above / 50_000 / 2 ** -2.5).toBeCloseTo(1, 1)
  })
  it('quantiles: half of the draws at or below the median, none beyond the ends', () => {
    const drawn = draws('quantiles', 20_000)
    expect(drawn.filter((length) => length <= 100).length / 20_000).toBeCloseTo(0.5, 1)
    expect(Math.max(...drawn)).toBeLessThanOrEqual(600)
  })
  it('refuse what makes no distribution', () => {
    expect(() => make({ name: 'uniform', minimum: 5, maximum: 4 })).toThrow('at least the minimum of 5')
    expect(() => make({ name: 'values', values: [{ tokens: 1, weight: 0 }] })).toThrow('a weight above 0')
    expect(() =>
      make({
        name: 'quantiles',
        points: [
          { quantile: 0, tokens: 5 },
          { quantile: 0.9, tokens: 6 },
        ],
      }),
    ).toThrow('from quantile 0 to 1')
  })
})
