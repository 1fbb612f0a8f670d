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
})
