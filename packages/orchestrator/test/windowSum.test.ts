import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { WindowSum } from '../src/engines/windowSum.ts'

describe('the windowed context sum', () => {
  it('grows by the sequences whose window is not full yet', () => {
    const sum = new WindowSum(4)
    sum.join(2, 10)
    sum.join(9, 10)
    // Step 10: 2 + 4; step 11: 3 + 4; step 12: 4 + 4 and full.
    expect([sum.tokens, sum.growing, sum.evenSteps(10)]).toEqual([6, 1, 3])
    sum.advance(10, 1)
    expect([sum.tokens, sum.growing, sum.evenSteps(11)]).toEqual([7, 1, 2])
    sum.advance(11, 5)
    expect([sum.tokens, sum.growing, sum.evenSteps(16)]).toEqual([8, 0, Number.POSITIVE_INFINITY])
  })

  it('equals the sum over sequences after any joins, steps and departures', () => {
    const move = fc.oneof(
      fc.record({ join: fc.integer({ min: 1, max: 60 }) }),
      fc.record({ steps: fc.integer({ min: 1, max: 50 }) }),
      fc.record({ leave: fc.nat() }),
    )
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 40 }), fc.array(move, { maxLength: 60 }), (window, moves) => {
        const sum = new WindowSum(window)
        let contexts: number[] = []
        let step = 0
        for (const one of moves) {
          if ('join' in one) {
            contexts.push(one.join)
            sum.join(one.join, step)
          } else if ('steps' in one) {
            contexts = contexts.map((context) => context + one.steps)
            sum.advance(step, one.steps)
            step += one.steps
          } else if (contexts.length > 0) {
            const [gone] = contexts.splice(one.leave % contexts.length, 1)
            sum.leave(gone!, step)
          }
          expect(sum.tokens).toBe(contexts.reduce((total, context) => total + Math.min(context, window), 0))
          expect(sum.growing).toBe(contexts.filter((context) => context < window).length)
        }
      }),
    )
  })
})
