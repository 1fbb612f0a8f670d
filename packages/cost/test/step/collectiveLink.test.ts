import { collectiveLink, scaleUpDomainOf, serverDevicesOf } from '@windtunnel/cost/step/collectiveLink'
import { accelerator, acceleratorNames } from '@windtunnel/hardware'
import { describe, expect, it } from 'vitest'

const link = (name: string, ranks: number, domain?: number) => collectiveLink(accelerator(name), ranks, domain)

describe('the network of a group of ranks', () => {
  it.each([
    ['h100-sxm', 8],
    ['gb200', 72],
    ['gb300', 72],
    ['rtx-a6000', 2],
    ['a40', 2],
    ['l40s', 8],
    ['mi300x', 8],
    ['ascend-910c', 384],
    ['tpu-v5e', Number.POSITIVE_INFINITY],
    ['ascend-950', 8],
  ])('is one scale-up network for %s up to %d', (name, domain) => {
    expect(scaleUpDomainOf(accelerator(name))).toBe(domain)
  })

  it('is NVLink for a pair with a bridge, and PCIe for more cards of the server', () => {
    expect(link('rtx-a6000', 2)).toEqual({ kind: 'nvlink', bytesPerSecond: 56e9 })
    expect(link('rtx-a6000', 4)).toEqual({ kind: 'pcie', bytesPerSecond: 32e9 })
    expect(serverDevicesOf(accelerator('rtx-a6000'))).toBe(8)
  })

  it('is the share of a card in the network cards of its server beyond that', () => {
    // Eight cards of 400 Gbit/s for eight H100; one of 100 Gbit/s for eight L40S.
    expect(link('h100-sxm', 16)).toEqual({ kind: 'scale-out', bytesPerSecond: 50e9 })
    expect(link('l40s', 16)).toEqual({ kind: 'scale-out', bytesPerSecond: 12.5e9 / 8 })
    expect(link('ascend-910c', 385)).toEqual({ kind: 'scale-out', bytesPerSecond: 50e9 })
    expect(() => link('v100-sxm', 16)).toThrow(/at most 8, its scale-up domain/)
  })

  it('is what the scenario says', () => {
    expect(link('rtx-a6000', 8, 8)).toEqual({ kind: 'nvlink', bytesPerSecond: 56e9 })
    expect(link('h100-sxm', 8, 4)).toEqual({ kind: 'scale-out', bytesPerSecond: 50e9 })
  })

  it('is known for every accelerator up to its domain', () => {
    for (const name of acceleratorNames)
      expect(link(name, Math.min(scaleUpDomainOf(accelerator(name)), 64)).bytesPerSecond, name).toBeGreaterThan(0)
  })
})
