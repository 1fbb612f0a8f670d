import { describe, expect, it } from 'vitest'
import { clock, duration, latency, percent, promise, scaled, text, threeDigits } from '../src/format/quantity.ts'

describe('figures as people read them', () => {
  it('shows about three significant digits', () => {
    expect([0.612, 6.123, 61.23, 612.3, 6123.4, 0].map(threeDigits)).toEqual([
      '0.612',
      '6.12',
      '61.2',
      '612',
      '6,123',
      '0',
    ])
  })

  it('shows latencies in ms below ten seconds and in s above, and a dash for none', () => {
    expect(text(latency(0.0234))).toBe('23.4 ms')
    expect(text(latency(0.612))).toBe('612 ms')
    expect(text(latency(12.34))).toBe('12.3 s')
    expect(text(latency(undefined))).toBe('–')
  })

  it('chooses the unit of a duration by its size', () => {
    expect([5e-6, 0.0179, 5.1, 300, 10_800].map((seconds) => text(duration(seconds)))).toEqual([
      '5.00 µs',
      '17.9 ms',
      '5.10 s',
      '5.00 min',
      '3.00 h',
    ])
  })

  it('writes promises without needless decimals', () => {
    expect([0.5, 0.025, 0.0025, 2, 30].map(promise)).toEqual(['500 ms', '25 ms', '2.5 ms', '2 s', '30 s'])
  })

  it('scales by thousands', () => {
    expect(text(scaled(3.35e12, 'B/s'))).toBe('3.35 TB/s')
    expect(text(scaled(999.9, 'B'))).toBe('1.00 kB')
  })

  it('never rounds a share up to all or down to none', () => {
    expect([0.9996, 0.0004, 1, 0, 0.5].map((share) => text(percent(share)))).toEqual([
      '99.9 %',
      '0.1 %',
      '100 %',
      '0 %',
      '50 %',
    ])
  })

  it('shows virtual time as a clock', () => {
    expect(clock(8047.3)).toBe('02:14:07.3')
    expect(clock(59.99, false)).toBe('00:00:59')
  })
})
