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

  it('of a series equals its terms one by one', () => {
    const ticks = fc.nat({ max: 2 ** 48 })
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
