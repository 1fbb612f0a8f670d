import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isWithin, measuredSeconds, stepsWithin } from '../../src/summary/measuredWindow.ts'
import { SECONDS_PER_TICK, TICKS_PER_SECOND } from '../../src/ticks.ts'

describe('a measured window', () => {
  it('is open at its end, and as long as the run lets it be', () => {
    const window = { fromSeconds: 2, untilSeconds: 5 }
    expect([1.9, 2, 4.9, 5].map((time) => isWithin(window, time))).toEqual([false, true, true, false])
    expect([1, 4, 9].map((end) => measuredSeconds(window, end))).toEqual([0, 2, 3])
  })

  it('takes the steps of a decode run that end within, as stepping one by one does', () => {
    const second = TICKS_PER_SECOND
    const run = fc.record({
      time: fc.integer({ min: 0, max: 20 }),
      steps: fc.integer({ min: 1, max: 40 }),
      first: fc.integer({ min: 1, max: 8 }).map((eighths) => (eighths * second) / 8),
      growth: fc.integer({ min: 0, max: 4 }).map((parts) => (parts * second) / 64),
      from: fc.integer({ min: 0, max: 30 }),
      length: fc.integer({ min: 1, max: 30 }),
    })
    fc.assert(
      fc.property(run, ({ time, steps, first, growth, from, length }) => {
        const window = { fromSeconds: from, untilSeconds: from + length }
        const within: number[] = []
        let at = time
        for (let step = 0; step < steps; step++) {
          at += (first + step * growth) * SECONDS_PER_TICK
          if (isWithin(window, at)) within.push(step)
        }
        const span = stepsWithin(window, time, steps, first, growth, { first: 0, count: 0 })
        expect(Math.max(0, span.count)).toBe(within.length)
        if (within.length > 0) expect(span.first).toBe(within[0])
      }),
    )
  })
})
