import { compareTime, type Time, timeFromSeconds, toSeconds, zeroTime } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import { logGamma } from '../src/arrivals/spacings.ts'
import {
  type ArrivalName,
  type ArrivalProcess,
  arrivals,
  CannotSteer,
  createPromptTree,
  trafficParts,
} from '../src/index.ts'

const make = (spec: { name: ArrivalName; [option: string]: unknown }, seed = 1): ArrivalProcess =>
  trafficParts(seed, 'test', createPromptTree()).arrivals('it', spec, 'arrivals')

/** Up to `n` arrivals before `untilSeconds`, in seconds. */
function draw(process: ArrivalProcess, n: number, untilSeconds = Number.POSITIVE_INFINITY): number[] {
  const time = zeroTime()
  const times: number[] = []
  while (times.length < n && process.peek(time) && toSeconds(time) < untilSeconds) {
    times.push(toSeconds(time))
    process.advance()
  }
  return times
}

function gapsOf(times: readonly number[]): { mean: number; cv: number } {
  const gaps = times.slice(1).map((time, i) => time - times[i]!)
  const mean = gaps.reduce((sum, gap) => sum + gap, 0) / gaps.length
  const variance = gaps.reduce((sum, gap) => sum + (gap - mean) ** 2, 0) / gaps.length
  return { mean, cv: Math.sqrt(variance) / mean }
}

const examples = {
  allAtOnce: { name: 'allAtOnce', requests: 5 },
  closedLoop: { name: 'closedLoop', users: 3, thinkSeconds: 1 },
  constant: { name: 'constant', requestsPerSecond: 4 },
  diurnal: { name: 'diurnal', requestsPerSecond: 4, periodSeconds: 100, peakSeconds: 50 },
  gamma: { name: 'gamma', requestsPerSecond: 4, cv: 2 },
  hawkes: { name: 'hawkes', requestsPerSecond: 4, branching: 0.5, decaySeconds: 0.5 },
  mixture: {
    name: 'mixture',
    parts: [
      { arrivals: { name: 'constant', requestsPerSecond: 1 } },
      { arrivals: { name: 'poisson', requestsPerSecond: 3 } },
    ],
  },
  mmpp: {
    name: 'mmpp',
    states: [
      { requestsPerSecond: 6, meanSeconds: 5 },
      { requestsPerSecond: 2, meanSeconds: 5 },
    ],
  },
  onOff: { name: 'onOff', onRequestsPerSecond: 8, onSeconds: 0.5, offSeconds: 0.5 },
  poisson: { name: 'poisson', requestsPerSecond: 4 },
  ramp: { name: 'ramp', fromRequestsPerSecond: 4, toRequestsPerSecond: 4, rampSeconds: 10 },
  staged: { name: 'staged', stages: [{ requestsPerSecond: 4, seconds: 10 }], after: 'hold' },
  weibull: { name: 'weibull', requestsPerSecond: 4, shape: 0.7 },
  windows: {
    name: 'windows',
    windowSeconds: 5,
    windows: [{ requestsPerSecond: 6 }, { requestsPerSecond: 2, gaps: 'weibull', shape: 0.8 }],
    after: 'repeat',
  },
} as const satisfies Record<ArrivalName, { name: ArrivalName; [option: string]: unknown }>

const open = (Object.keys(examples) as ArrivalName[]).filter((name) => name !== 'allAtOnce' && name !== 'closedLoop')

describe.each(Object.keys(arrivals) as ArrivalName[])('%s arrivals', (name) => {
  it('never go back, and are the same for the same seed', () => {
    const times = draw(make(examples[name]), 500)
    expect(times).toEqual(draw(make(examples[name]), 500))
    for (let i = 1; i < times.length; i++) expect(times[i]! >= times[i - 1]!).toBe(true)
  })
})

describe.each(open)('%s arrivals at a mean of 4 a second', (name) => {
  it('keep their mean rate over a long time', () => {
    const process = make(examples[name])
    expect(process.meanRate).toBeCloseTo(4, 6)
    expect(gapsOf(draw(process, 40_000)).mean).toBeCloseTo(0.25, 1.9)
  })
  it('come twice as fast after the rate is doubled, never before that moment', () => {
    const process = make(examples[name])
    draw(process, Number.POSITIVE_INFINITY, 50)
    const now = timeFromSeconds(50)
    process.setRate(8, now)
    const times = draw(process, 40_000)
    expect(times[0]!).toBeGreaterThanOrEqual(50)
    expect(times.length / (times.at(-1)! - 50)).toBeGreaterThan(7)
    expect(times.length / (times.at(-1)! - 50)).toBeLessThan(9)
  })
  it('stop at rate 0 and come again after it', () => {
    const process = make(examples[name])
    draw(process, Number.POSITIVE_INFINITY, 20)
    process.setRate(0, timeFromSeconds(20))
    expect(draw(process, 1)).toEqual([])
    process.setRate(4, timeFromSeconds(100))
    const times = draw(process, 1000)
    expect(times.length).toBe(1000)
    expect(times[0]!).toBeGreaterThanOrEqual(100)
  })
})

describe('the shapes of arrivals', () => {
  it('constant: 0, 1/4, 1/2 ... exactly, and a change of rate keeps the phase', () => {
    const process = make(examples.constant)
    expect(draw(process, 4)).toEqual([0, 0.25, 0.5, 0.75])
    // The next was due at 1.0; at 0.875 half of its gap is left: at 2 a second that is 0.25 s.
    process.setRate(2, timeFromSeconds(0.875))
    expect(draw(process, 2)).toEqual([1.125, 1.625])
  })
  it('poisson gaps have cv 1, gamma gaps theirs, Weibull gaps of shape 0.7 have cv 1.4624', () => {
    expect(gapsOf(draw(make(examples.poisson), 100_000)).cv).toBeCloseTo(1, 1.5)
    expect(gapsOf(draw(make(examples.gamma), 200_000)).cv / 2).toBeCloseTo(1, 1.5)
    // cv^2 = Gamma(1 + 2/k) / Gamma(1 + 1/k)^2 - 1 = 3.0291 / 1.2658^2 ... = 2.1386 at k = 0.7
    expect(gapsOf(draw(make(examples.weibull), 200_000)).cv).toBeCloseTo(1.4624, 1)
  })
  it('logGamma knows factorials and the root of pi', () => {
    expect(logGamma(11)).toBeCloseTo(Math.log(3628800), 12)
    expect(logGamma(0.5)).toBeCloseTo(Math.log(Math.PI) / 2, 12)
  })
  it('staged even arrivals: 2 a second for 2 s, nothing for 1 s, 1 a second for 2 s, then no more', () => {
    const stages = [
      { requestsPerSecond: 2, seconds: 2 },
      { requestsPerSecond: 0, seconds: 1 },
      { requestsPerSecond: 1, seconds: 2 },
    ]
    // The integral of the rate is a whole number at 0, 0.5, 1, 1.5, 2, 4 and 5.
    expect(draw(make({ name: 'staged', stages, spacing: 'even' }), 100)).toEqual([0, 0.5, 1, 1.5, 2, 4, 5])
    const again = draw(make({ name: 'staged', stages, spacing: 'even', after: 'repeat' }), 9)
    expect(again.slice(7)).toEqual([5.5, 6])
  })
  it('a ramp from 0 to 10 a second over 100 s brings about 500 requests, a quarter of them in the first half', () => {
    const times = draw(
      make({ name: 'ramp', fromRequestsPerSecond: 0, toRequestsPerSecond: 10, rampSeconds: 100 }),
      1e6,
      100,
    )
    expect(times.length / 500).toBeCloseTo(1, 0.7)
    expect(times.filter((time) => time < 50).length / times.length).toBeCloseTo(0.25, 1)
  })
  it('diurnal arrivals are (1 + swing) times the mean at the peak and (1 - swing) at the trough', () => {
    const spec = { name: 'diurnal', requestsPerSecond: 100, periodSeconds: 1000, peakSeconds: 500, swing: 0.5 } as const
    const times = draw(make(spec), 1e6, 5000)
    const near = (phase: number) => times.filter((time) => Math.abs((time % 1000) - phase) < 25).length / (5 * 50)
    expect(near(500) / 150).toBeCloseTo(1, 1)
    expect(times.filter((time) => time % 1000 < 25).length / (5 * 25) / 50).toBeCloseTo(1, 1)
  })
  it('on-off arrivals of fixed periods come only while on', () => {
    const spec = { name: 'onOff', onRequestsPerSecond: 50, onSeconds: 2, offSeconds: 3, periods: 'fixed' } as const
    const times = draw(make(spec), 5000)
    expect(times.every((time) => time % 5 <= 2)).toBe(true)
  })
  it('mmpp and hawkes are burstier than Poisson: counts in windows vary more than their mean', () => {
    const dispersion = (process: ArrivalProcess) => {
      const counts = new Array<number>(2000).fill(0)
      for (const time of draw(process, 1e6, 20_000)) counts[Math.floor(time / 10)]!++
      const mean = counts.reduce((sum, n) => sum + n, 0) / counts.length
      return counts.reduce((sum, n) => sum + (n - mean) ** 2, 0) / counts.length / mean
    }
    expect(dispersion(make(examples.poisson))).toBeCloseTo(1, 0.7)
    // Hawkes over windows of T: 4 - 3 (1 - exp(-aT)) / (aT) with a = (1 - 0.5) / 0.5 s: 3.7 for 10 s.
    expect(dispersion(make(examples.hawkes)) / 3.7).toBeCloseTo(1, 0.7)
    expect(dispersion(make(examples.mmpp))).toBeGreaterThan(2)
  })
  it('all at once: every request at one instant, and no rate to steer', () => {
    const process = make({ name: 'allAtOnce', requests: 3, atSeconds: 2 })
    expect(draw(process, 10)).toEqual([2, 2, 2])
    expect(() => process.setRate(1, zeroTime())).toThrow(CannotSteer)
  })
  it('a closed loop sends again exactly one think time after an ending, to the tick', () => {
    const process = make({ name: 'closedLoop', users: 2, thinkSeconds: 0.5 })
    expect(draw(process, 10)).toEqual([0, 0])
    const ended: Time = { seconds: 3, ticks: 12345 }
    process.released!(ended)
    const next = zeroTime()
    expect(process.peek(next)).toBe(true)
    expect(compareTime(next, { seconds: 3, ticks: 12345 + 2 ** 43 })).toBe(0)
    expect(() => process.setRate(1, zeroTime())).toThrow('no rate')
  })
  it('a closed loop whose requests all end as they arrive says so rather than stand still', () => {
    const process = make({ name: 'closedLoop', users: 1 })
    const spin = () => {
      for (let i = 0; i < 1e6; i++) {
        process.advance()
        process.released!({ seconds: 3, ticks: 0 })
      }
    }
    expect(spin).toThrow('Give its users thinkSeconds above 0')
  })
  it('a rate turned very low passes whole days at once', () => {
    const process = make({ name: 'diurnal', requestsPerSecond: 4, periodSeconds: 100, peakSeconds: 50 })
    process.advance()
    process.setRate(1e-9, zeroTime())
    const times = draw(process, 200)
    expect(times.at(-1)! / 200).toBeGreaterThan(0.7e9)
    expect(times.at(-1)! / 200).toBeLessThan(1.3e9)
  })
  it('closed-loop users can start evenly over a ramp', () => {
    expect(draw(make({ name: 'closedLoop', users: 4, rampSeconds: 2 }), 10)).toEqual([0, 0.5, 1, 1.5])
  })
})
