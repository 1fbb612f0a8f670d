import { accelerator } from '@windtunnel/hardware'
import { describe, expect, it } from 'vitest'
import { collectiveAcrossNodes } from '../../src/gpu/acrossNodes.ts'

const h100 = accelerator('h100')

describe('a collective over nodes of eight H100, 450 GB/s a GPU and 400 GB/s a node', () => {
  it('waits for the links in a node over four of them, and for the network cards over eight', () => {
    // 7/8 of the array at 450 GB/s is longer than 3/4 of it at 400 GB/s, and shorter than 7/8 of it at 400 GB/s.
    const four = collectiveAcrossNodes('all-gather', h100, { bytes: 36e6, gpus: 32 })
    expect(four).toMatchObject({ nodes: 4, gpusPerNode: 8, binding: 'node' })
    expect(four.seconds).toBeCloseTo(70e-6, 15)
    const eight = collectiveAcrossNodes('all-gather', h100, { bytes: 36e6, gpus: 64 })
    expect(eight).toMatchObject({ nodes: 8, binding: 'scale-out' })
    expect(eight.seconds).toBeCloseTo(78.75e-6, 15)
  })

  it('takes twice as long to reduce everything', () => {
    const gather = collectiveAcrossNodes('all-gather', h100, { bytes: 1e9, gpus: 128 })
    expect(gather.seconds).toBeCloseTo((1e9 * 15) / 16 / 400e9, 12)
    expect(collectiveAcrossNodes('all-reduce', h100, { bytes: 1e9, gpus: 128 }).seconds).toBe(2 * gather.seconds)
  })

  it('gains from an inner axis only where it is wider than a node: 16 ways halve the time between nodes', () => {
    const seconds = (innerShards: number) =>
      collectiveAcrossNodes('reduce-scatter', h100, { bytes: 1e9, gpus: 256, innerShards }).seconds
    expect(seconds(8)).toBeCloseTo((1e9 * 31) / 32 / 400e9, 12)
    expect(seconds(16)).toBeCloseTo(seconds(8) / 2, 12)
  })

  it('exchanges V(M-1)/M^2 over the egress of a node', () => {
    expect(collectiveAcrossNodes('all-to-all', h100, { bytes: 1e9, gpus: 40 }).seconds).toBeCloseTo(
      (1e9 * 4) / 25 / 400e9,
      12,
    )
  })

  it('takes whole nodes, of devices whose network is known', () => {
    expect(() => collectiveAcrossNodes('all-gather', h100, { bytes: 1, gpus: 12 })).toThrow(/whole nodes of 8/)
    expect(() => collectiveAcrossNodes('all-gather', accelerator('tpu-v5e'), { bytes: 1, gpus: 16 })).toThrow(/network/)
  })
})
