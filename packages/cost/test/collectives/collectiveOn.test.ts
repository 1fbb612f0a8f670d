import { collectiveKinds, collectiveOn, meshCollective, switchedCollective, torusCollective } from '@windtunnel/cost'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

describe('a collective on named devices', () => {
  test('runs along the named axis of a slice, without wraparound on v5e below 16', () => {
    // The book's 8x4 slice: three of four shards over one direction of 45e9 B/s.
    const found = collectiveOn('all-gather', { bytes: 34e6, on: 'tpu-v5e:8x4', axis: 'Y' })
    expect(found.device).toBe('tpu-v5e')
    expect(found.mesh).toEqual({ X: 8, Y: 4 })
    expect(found.axes).toEqual({ Y: { size: 4, linkBytesPerSecond: 45e9, wraps: false, hopSeconds: 1e-6 } })
    expect(found.seconds).toBeCloseTo((34e6 * 3) / 4 / 45e9, 12)
  })

  test('uses both directions of a ring of 16', () => {
    const found = collectiveOn('all-reduce', { bytes: 90e9, on: 'v5e:16x16', axis: 'X' })
    expect(found.seconds).toBeCloseTo(2, 9)
  })

  test('spans all axes unless told otherwise', () => {
    expect(collectiveOn('all-gather', { bytes: 180e9, on: 'tpu-v5e:16x16' }).seconds).toBeCloseTo(1, 9)
  })

  test('goes through the switches of a GPU node', () => {
    const found = collectiveOn('all-gather', { bytes: 450e9, on: 'h100:8' })
    expect(found.seconds).toBeCloseTo(7 / 8, 9)
  })

  test('crosses PCIe where a bridge joins pairs only', () => {
    // 56 GB/s over the bridge of two cards; 32 GB/s over PCIe for more of them.
    expect(collectiveOn('all-gather', { bytes: 56e9, on: 'rtx-a6000:2' }).seconds).toBeCloseTo(1 / 2, 9)
    expect(collectiveOn('all-gather', { bytes: 32e9, on: 'a40:4' }).seconds).toBeCloseTo(3 / 4, 9)
    expect(() => collectiveOn('all-gather', { bytes: 1, on: 'a40:9' })).toThrow(/at most 8 devices/)
  })

  test('says that eight are an assumption where no node is known', () => {
    expect(() => collectiveOn('all-gather', { bytes: 1, on: 'ascend-950:16' })).toThrow(/assumed where no node/)
  })

  test('explains devices and axes that are none', () => {
    const on = (text: string, axis?: string) => () =>
      collectiveOn('all-gather', { bytes: 1, on: text, ...(axis === undefined ? {} : { axis }) })
    expect(on('tpu-v5e')).toThrow(/NAME:SHAPE/)
    expect(on('tpu-v5e:4x0')).toThrow(/NAME:SHAPE/)
    expect(on('tpu-v55:4x4')).toThrow(/tpu-v5/)
    expect(on('tpu-v5e:4x4x4')).toThrow(/at most 2 axes/)
    expect(on('tpu-v5e:4x4', 'Z')).toThrow(/one or more of X, Y/)
    expect(on('h100:16')).toThrow(/at most 8 devices/)
  })
})

const axis = fc.record({
  size: fc.integer({ min: 1, max: 32 }),
  linkBytesPerSecond: fc.constantFrom(45e9, 90e9),
  wraps: fc.boolean(),
  hopSeconds: fc.constantFrom(0, 1e-6),
})
const bytes = fc.integer({ min: 0, max: 1e10 })

describe('any collective on a torus', () => {
  test('takes no longer with more bandwidth, and no less time for more bytes', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...collectiveKinds),
        fc.array(axis, { minLength: 1, maxLength: 3 }),
        bytes,
        (kind, axes, v) => {
          const time = torusCollective(kind, { bytes: v, axes }).seconds
          const faster = axes.map((one) => ({ ...one, linkBytesPerSecond: 2 * one.linkBytesPerSecond }))
          expect(torusCollective(kind, { bytes: v, axes: faster }).seconds).toBeLessThanOrEqual(time)
          expect(torusCollective(kind, { bytes: 2 * v, axes }).seconds).toBeGreaterThanOrEqual(time)
        },
      ),
    )
  })

  test('is an AllReduce in the time of a ReduceScatter and an AllGather', () => {
    fc.assert(
      fc.property(fc.array(axis, { minLength: 1, maxLength: 3 }), bytes, (axes, v) => {
        const seconds = (kind: (typeof collectiveKinds)[number]) => torusCollective(kind, { bytes: v, axes }).seconds
        expect(seconds('all-reduce')).toBe(seconds('reduce-scatter') + seconds('all-gather'))
      }),
    )
  })

  test('takes no time among one chip', () => {
    const alone = { size: 1, linkBytesPerSecond: 45e9, wraps: false }
    for (const kind of collectiveKinds) expect(torusCollective(kind, { bytes: 1e9, axes: [alone] }).seconds).toBe(0)
  })

  test('is a quarter of a gather for an exchange around one ring', () => {
    const axes = [{ size: 16, linkBytesPerSecond: 45e9, wraps: true, hopSeconds: 0 }]
    const [gather, exchange] = (['all-gather', 'all-to-all'] as const).map((kind) =>
      torusCollective(kind, { bytes: 1e9, axes }),
    )
    expect(exchange!.seconds * 4).toBeCloseTo(gather!.seconds, 12)
  })

  test('cannot mix torus and switch', () => {
    const axes = [
      { size: 4, linkBytesPerSecond: 45e9, wraps: true },
      { size: 8, egressBytesPerSecond: 450e9 },
    ]
    expect(() => meshCollective('all-gather', { bytes: 1, axes })).toThrow(/a mix of both/)
  })
})

test('behind a switch, two mesh axes are one group of their devices', () => {
  const both = meshCollective('all-gather', {
    bytes: 8e9,
    axes: [
      { size: 2, egressBytesPerSecond: 1e9 },
      { size: 4, egressBytesPerSecond: 1e9 },
    ],
  })
  expect(both).toEqual(switchedCollective('all-gather', { bytes: 8e9, devices: 8, egressBytesPerSecond: 1e9 }))
  expect(both.seconds).toBe(7)
})
