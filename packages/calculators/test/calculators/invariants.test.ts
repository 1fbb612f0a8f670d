import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { calculators } from '../../src/calculators/index.ts'
import { readInputs } from '../../src/edge/readInputs.ts'
import { runCalculator } from '../../src/edge/runCalculator.ts'

const results = (name: string, inputs: object) => runCalculator(name, inputs).results as Record<string, number>
const power = fc.integer({ min: 0, max: 6 }).map((exponent) => 2 ** exponent)
const size = fc.integer({ min: 1, max: 1e9 })

describe('AllReduce', () => {
  it('by tree is faster below the crossover and by ring above it', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 2, max: 6 }),
        fc.double({ min: 0.01, max: 100, noNaN: true }),
        (exponent, factor) => {
          fc.pre(Math.abs(factor - 1) > 1e-6)
          const n = 2 ** exponent
          const { bytes } = results('ring-tree-crossover', { n })
          const ring = results('ring-allreduce', { n, bytes: bytes! * factor }).timeSeconds!
          const tree = results('tree-allreduce', { n, bytes: bytes! * factor }).timeSeconds!
          expect(tree < ring).toBe(factor < 1)
        },
      ),
    )
  })

  it('measured in a table goes linearly between its rows and nowhere else', () => {
    const table = [
      { cards: 8, bytes: 1000, seconds: 1e-5 },
      { cards: 8, bytes: 3000, seconds: 3e-5 },
      { cards: 4, bytes: 2000, seconds: 1 },
    ]
    const step = (bytes: number, tp = 8) => results('tp-step-time', { tp, context: 1, allreduce: { bytes, table } })
    expect(step(2000).allreduceSeconds).toBeCloseTo(2e-5, 15)
    expect(step(1000).allreduceSeconds).toBe(1e-5)
    expect(step(3000).allreduceSeconds).toBe(3e-5)
    expect(() => step(999)).toThrow('table')
    expect(() => step(3001)).toThrow('table')
    expect(() => step(2000, 2)).toThrow('rows for 2 cards')
  })

  it('of a ring sends what the trace of its blocks says', () => {
    const { holder, value, owner } = runCalculator('ring-trace', { n: 4, block: 2 }).results as Record<string, number[]>
    expect(holder).toEqual([2, 3, 0, 1])
    expect(value).toEqual([100, 1100, 1101, 1111])
    expect(owner).toBe(1)
  })
})

describe('a tensor-parallel step', () => {
  it('has one card as the sum of its parts, whatever the all-reduce', () => {
    const step = results('tp-step-time', { tp: 1, context: 1000, allreduce: { measured: 1 } })
    expect(step.commSeconds).toBe(0)
    expect(step.speedup).toBe(1)
  })

  it('reads less with more cards, and KV stops shrinking at the KV heads', () => {
    const at = (tp: number, more = {}) => results('tp-step-time', { tp, context: 100_000, ...more })
    expect(at(16).kvPerCard).toBe(at(8).kvPerCard)
    expect(at(16, { kvSplit: 'even' }).kvPerCard).toBe(at(8).kvPerCard! / 2)
    expect(at(16).weightsPerCard).toBe(at(8).weightsPerCard! / 2)
    // K and V projections of 64 layers, 20,971,520 B each, split 8 ways instead of 16.
    const copied = at(16, { replicateKvProj: true }).weightsPerCard! - at(16).weightsPerCard!
    expect(copied).toBe((64 * 20_971_520) / 16)
  })

  it('doubled is worth it exactly when the difference of the two steps says so', () => {
    fc.assert(
      fc.property(
        power,
        fc.integer({ min: 0, max: 131_072 }),
        fc.double({ min: 0, max: 1e-4, noNaN: true }),
        (tp, context, alpha) => {
          const inputs = { context, allreduce: { alpha } }
          const small = results('tp-step-time', { ...inputs, tp }).stepSeconds!
          const large = results('tp-step-time', { ...inputs, tp: 2 * tp }).stepSeconds!
          const { beneficial, netSavedSeconds } = results('tp-benefit', { ...inputs, tp })
          expect(netSavedSeconds).toBeCloseTo(small - large, 12)
          if (Math.abs(small - large) > 1e-12) expect(beneficial).toBe(large < small)
        },
      ),
    )
  })
})

describe('memory of a card', () => {
  it('fits its own largest number of sessions and not one more', () => {
    fc.assert(
      fc.property(power, fc.integer({ min: 1, max: 131_072 }), (tp, tokens) => {
        const at = (sessions: number) => results('tp-card-memory', { model: 'qwen3-32b', tp, tokens, sessions })
        const { maxSessions } = at(1)
        if (maxSessions! > 0) expect(at(maxSessions!).fits).toBe(true)
        expect(at(maxSessions! + 1).fits).toBe(false)
      }),
    )
  })

  it('of all cards holds at least one copy of the model, and exactly one when nothing is copied', () => {
    fc.assert(
      fc.property(power, (tp) => {
        const at = (more: object) =>
          results('tp-card-memory', { model: 'qwen3-235b-a22b', tp, tokens: 1, ...more }).weightsPerCard! * tp
        expect(at({})).toBeGreaterThanOrEqual(470_187_269_120)
        expect(at({ evenSplit: true })).toBeCloseTo(470_187_269_120, 0)
      }),
    )
  })
})

describe('splits', () => {
  it('of a matmul give the product: columns side by side, rows added up', () => {
    const matrix = fc.integer({ min: 1, max: 6 }).chain((rows) =>
      fc.integer({ min: 1, max: 6 }).chain((columns) =>
        fc.record({
          x: fc.array(fc.integer({ min: -9, max: 9 }), { minLength: rows, maxLength: rows }),
          w: fc.array(fc.array(fc.integer({ min: -9, max: 9 }), { minLength: columns, maxLength: columns }), {
            minLength: rows,
            maxLength: rows,
          }),
          parts: fc.integer({ min: 1, max: 4 }),
        }),
      ),
    )
    fc.assert(
      fc.property(matrix, (inputs) => {
        const { full, rowPart, colPart } = calculators.matmulSplit.compute(readInputs(calculators.matmulSplit, inputs))
        expect(colPart.flat()).toEqual(full)
        expect(full.map((_, at) => rowPart.reduce((sum, part) => sum + part[at]!, 0))).toEqual(full)
      }),
    )
  })

  it('of attention merge to the softmax over all scores', () => {
    const segment = fc.array(
      fc.record({ score: fc.double({ min: -50, max: 50, noNaN: true }), value: fc.integer({ min: -9, max: 9 }) }),
      { minLength: 1, maxLength: 5 },
    )
    fc.assert(
      fc.property(fc.array(segment, { minLength: 1, maxLength: 4 }), (segments) => {
        const scores = segments.map((one) => one.map(({ score }) => score))
        const values = segments.map((one) => one.map(({ value }) => value))
        const top = Math.max(...scores.flat())
        const weights = scores.flat().map((score) => Math.exp(score - top))
        const whole = weights.reduce((sum, weight) => sum + weight, 0)
        const expected = weights.reduce((sum, weight, at) => sum + weight * values.flat()[at]!, 0) / whole
        expect(results('softmax-merge', { scores, values }).output).toBeCloseTo(expected, 9)
      }),
    )
  })

  it('of causal positions come to n(n+1)/2 pairs; halves of 8 are 10 and 26, zig-zag 18 and 18', () => {
    const load = (groups: number[][]) => runCalculator('causal-load', { groups }).results
    expect(
      load([
        [1, 2, 3, 4],
        [5, 6, 7, 8],
      ]),
    ).toMatchObject({ load: [10, 26], total: 36, imbalance: 2.6 })
    expect(
      load([
        [1, 2, 7, 8],
        [3, 4, 5, 6],
      ]),
    ).toMatchObject({ load: [18, 18], imbalance: 1 })
  })
})

describe('topology', () => {
  it('loads the links of a ring of 16 as the chapter tabulates', () => {
    const MiB = 1048576
    const at = (algorithm: string) =>
      runCalculator('ring-link-load', { n: 16, bytes: 8 * MiB, rounds: 3, algorithm }).results
    expect(at('recursive')).toMatchObject({
      hops: [1, 2, 4],
      maxLink: [4 * MiB, 4 * MiB, 4 * MiB],
      total: [64 * MiB, 64 * MiB, 64 * MiB],
    })
    expect(at('swing')).toMatchObject({
      hops: [1, 1, 3],
      maxLink: [4 * MiB, 2 * MiB, 2 * MiB],
      total: [64 * MiB, 32 * MiB, 48 * MiB],
    })
  })

  it('crosses sockets 24, 12 and 24 MiB as buffers and ring order change', () => {
    const MiB = 1048576
    const node = { 0: 'A', 1: 'A', 2: 'B', 3: 'B' }
    const at = (order: string[], buffer: string) =>
      results('numa-staging', { node, order, buffer, totalBytes: 48 * MiB }).aToB
    expect(at(['0', '1', '2', '3'], 'A')).toBe(24 * MiB)
    expect(at(['0', '1', '2', '3'], 'local')).toBe(12 * MiB)
    expect(at(['0', '2', '1', '3'], 'local')).toBe(24 * MiB)
  })

  it('of a torus of 512 has 12 hops at most, 6 on average, and 128 links across the middle', () => {
    expect(runCalculator('torus', { k: 8 }).results).toMatchObject({
      chips: 512,
      maxHops: 12,
      meanHops: 6,
      bisectionLinks: 128,
    })
  })

  it('packs as many disjoint blocks as there can be, which a greedy count would miss', () => {
    // Rows 011 and 111 and 110: greedy from the left takes none at (0,0); the blocks at (0,1) and (1,0) overlap.
    expect(results('grid-packing', { free: ['011', '111', '110'], block: 2 }).jobs).toBe(1)
    // Seven columns of two rows with the first taken: three blocks, from any start.
    expect(results('grid-packing', { free: ['0111111', '0111111'], block: 2 }).jobs).toBe(3)
    // A greedy count from the left would take columns 1-2 of rows 0-1 and block both others.
    expect(results('grid-packing', { free: ['0110', '1111', '1111'], block: 2 }).jobs).toBe(2)
  })

  it('joins 384 cards pairwise by 73,536 links and 96 cards need 12 servers of 10.2 kW', () => {
    expect(results('full-mesh', { n: 384 }).links).toBe(73_536)
    expect(runCalculator('server-power', { cards: 96, budget: 120_000 }).results).toMatchObject({
      power: 122_400,
      fits: false,
    })
  })
})

describe('experts', () => {
  it('are touched by more tokens, never fewer, and never more than there are', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 512 }), fc.integer({ min: 1, max: 16 }), size, (experts, topK, tokens) => {
        const k = Math.min(experts, topK)
        const at = (count: number) => results('expected-active-experts', { experts, topK: k, tokens: count }).active!
        expect(at(tokens)).toBeLessThanOrEqual(experts)
        expect(at(tokens)).toBeGreaterThanOrEqual(Math.min(k, experts) * (1 - 1e-9))
        expect(at(tokens + 1)).toBeGreaterThanOrEqual(at(tokens) * (1 - 1e-12))
      }),
    )
  })
})
