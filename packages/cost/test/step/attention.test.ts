import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { touchedAtSkew } from '../../src/calibration/touchedAtSkew.ts'
import { attentionPairs, tokensRead } from '../../src/step/attentionPairs.ts'
import { expertsTouched } from '../../src/step/expertsTouched.ts'

const chunk = [fc.integer({ min: 1, max: 60 }), fc.nat({ max: 80 }), fc.integer({ min: 1, max: 50 })] as const

describe('pairs of tokens in a prefill chunk', () => {
  it('are what a loop over its tokens counts, with and without a window', () => {
    fc.assert(
      fc.property(...chunk, (tokens, context, window) => {
        let all = 0
        let windowed = 0
        for (let i = 1; i <= tokens; i++) {
          all += context + i
          windowed += Math.min(context + i, window)
        }
        expect(attentionPairs(tokens, context, undefined)).toBe(all)
        expect(attentionPairs(tokens, context, window)).toBe(windowed)
      }),
    )
  })

  it('read the context once, or what the window leaves of it', () => {
    expect(tokensRead(10, 100, undefined)).toBe(110)
    expect(tokensRead(10, 100, 64)).toBe(74)
  })
})

describe('experts that a batch touches', () => {
  it('are those of one token at first, and all in the end', () => {
    expect(expertsTouched(8, 2, 1)).toBeCloseTo(2, 12)
    // Two tokens: 8 (1 - (3/4)^2) = 3.5.
    expect(expertsTouched(8, 2, 2)).toBeCloseTo(3.5, 12)
    expect(expertsTouched(8, 2, 1000)).toBeCloseTo(8, 12)
  })

  it('are as many as visits when evenly used, fewer when some are popular, never fewer than one token picks', () => {
    expect(touchedAtSkew(128, 8, 3, 0)).toBe(24)
    expect(touchedAtSkew(128, 8, 100, 0)).toBe(128)
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 4096 }), fc.double({ min: 0, max: 1, noNaN: true }), (tokens, skew) => {
        const touched = touchedAtSkew(128, 8, tokens, skew)
        expect(touched).toBeGreaterThanOrEqual(8 - 1e-9)
        expect(touched).toBeLessThanOrEqual(Math.min(128, 8 * tokens) + 1e-9)
        expect(touchedAtSkew(128, 8, tokens + 1, skew)).toBeGreaterThanOrEqual(touched - 1e-9)
      }),
    )
  })
})
