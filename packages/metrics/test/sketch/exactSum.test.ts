import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { ExactSum } from '../../src/sketch/exactSum.ts'

describe('the exact sum', () => {
  it('equals big-integer arithmetic in any order', () => {
    const factor = fc.nat({ max: Number.MAX_SAFE_INTEGER })
    const term = fc.tuple(factor, fc.nat({ max: 2 ** 31 - 1 }))
    fc.assert(
      fc.property(fc.array(term, { maxLength: 20 }), (terms) => {
        const forward = new ExactSum()
        const backward = new ExactSum()
        let exact = 0n
        for (const [a, b] of terms) {
          forward.addProduct(a, b)
          exact += BigInt(a) * BigInt(b)
        }
        for (const [a, b] of [...terms].reverse()) backward.addProduct(b, a)
        expect(backward.seconds()).toBe(forward.seconds())
        const whole = Number(exact >> 44n)
        const rest = Number(exact & (2n ** 44n - 1n))
        expect(forward.seconds()).toBe(whole + rest / 2 ** 44)
      }),
    )
  })

  it('of thousands of waits of minutes, in parts or in one, equals big-integer arithmetic', () => {
    const waits = fc.array(fc.nat({ max: 2 ** 53 - 1 }), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(waits, fc.integer({ min: 1, max: 400 }), (waits, rounds) => {
        const all = new ExactSum()
        const parts = [new ExactSum(), new ExactSum(), new ExactSum()]
        let exact = 0n
        for (let round = 0; round < rounds; round++) {
          for (const wait of waits) {
            all.add(wait)
            parts[round % 3]!.add(wait)
            exact += BigInt(wait)
          }
        }
        const merged = new ExactSum()
        for (const part of parts) merged.addSum(part)
        const seconds = Number(exact >> 44n) + Number(exact & (2n ** 44n - 1n)) / 2 ** 44
        expect(all.seconds()).toBe(seconds)
        expect(merged.seconds()).toBe(seconds)
        expect(all.seconds()).toBe(seconds)
      }),
    )
  })

  it('of a series equals its terms one by one', () => {
    const ticks = fc.oneof(fc.nat({ max: 2 ** 48 }), fc.nat({ max: 2 ** 53 - 2 ** 36 }))
    const growth = fc.nat({ max: 2 ** 30 })
    fc.assert(
      fc.property(ticks, growth, fc.nat({ max: 60 }), fc.nat({ max: 300 }), (first, growth, count, weight) => {
        const series = new ExactSum()
        const single = new ExactSum()
        series.addSeries(first, growth, count, weight)
        for (let j = 0; j < count; j++) single.addProduct(first + j * growth, weight)
        expect(series.seconds()).toBe(single.seconds())
      }),
    )
  })
})
