import { describe, expect, it } from 'vitest'
import { TICKS_PER_SECOND } from '../../src/ticks.ts'
import { WindowObserver } from '../../src/window/windowObserver.ts'

describe('windows of virtual time', () => {
  it('hold the last seconds only', () => {
    const window = new WindowObserver({ slots: 5, slotSeconds: 1 })
    for (let second = 0; second < 10; second++) window.arrived(second, second + 0.5, 10, 10, 0)
    const { merged, seconds } = window.fleet.over(2, 9.75)
    expect(merged.arrived).toBe(3)
    expect(seconds).toBe(2.75)
  })

  it('leave out what belongs to a time that has left the ring', () => {
    const window = new WindowObserver({ slots: 4, slotSeconds: 1 })
    window.arrived(0, 9.5, 10, 10, 0)
    window.arrived(1, 1.5, 10, 10, 0)
    expect(window.fleet.over(3, 9.9).merged.arrived).toBe(1)
  })

  it('a decode run across slots puts each token where its step ends', () => {
    const window = new WindowObserver({ slots: 8, slotSeconds: 1 })
    // Steps of 0.25 s from 0.5 s on end at 0.75, 1.0, 1.25, 1.5, 1.75, 2.0 s.
    window.decodeRun(0, 0.5, 6, 3, TICKS_PER_SECOND / 4, 0)
    expect(window.fleet.at(0).outputTokens).toBe(3)
    expect(window.fleet.at(1).outputTokens).toBe(12)
    expect(window.fleet.at(2).outputTokens).toBe(3)
  })

  it('a run whose steps grow is cut into runs that hold the same gaps', () => {
    const window = new WindowObserver({ slots: 32, slotSeconds: 0.001 })
    window.decodeRun(0, 0, 50, 2, TICKS_PER_SECOND / 4096, 1000)
    const { merged } = window.fleet.over(0.031, 0.0125)
    expect(merged.outputTokens).toBe(100)
    expect(merged.itl.count).toBe(100)
    expect(merged.itl.leastSeconds).toBe(1 / 4096)
    expect(merged.itl.largestSeconds).toBe((TICKS_PER_SECOND / 4096 + 49_000) / TICKS_PER_SECOND)
  })
})
