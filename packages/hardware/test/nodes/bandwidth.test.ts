import { describe, expect, it } from 'vitest'
import {
  accelerator,
  acceleratorNames,
  deviceEgress,
  deviceNetworkEgress,
  link,
  node,
  nodeBandwidth,
  nodeBisection,
  nodeEgress,
  nodeNames,
  nodeOf,
  nodes,
  serverOf,
  switchBandwidth,
} from '../../src/index.ts'

describe('a node of eight H100', () => {
  const hgx = nodes['hgx-h100']
  it('sends 18 x 25 GB/s from each GPU', () => expect(deviceEgress(hgx)).toBe(450e9))
  it('has 4 x 64 x 25 GB/s of switch', () => expect(switchBandwidth(hgx)).toBe(6.4e12))
  it('is bound by its GPUs, not its switches', () => expect(nodeBandwidth(hgx)).toBe(3.6e12))
  it('sends 8 x 400 Gbit/s out', () => expect(nodeEgress(hgx)).toBe(400e9))
  it('gives each GPU one card of it', () => expect(deviceNetworkEgress(hgx)).toBe(50e9))
  it('has 8 x 450 GB/s across its middle, both ways', () => expect(nodeBisection(hgx)).toBe(3.6e12))
  it('can add up in its switches', () => expect(hgx.switches?.reduces).toBe(true))
})

describe('a GB200 NVL72', () => {
  it('sends 4 x 18 cards x 400 Gbit/s out, nine times an H100 node', () => {
    expect(nodeEgress(nodes['gb200-nvl72'])).toBe(3.6e12)
    expect(nodeEgress(nodes['gb200-nvl72']) / nodeEgress(nodes['hgx-h100'])).toBe(9)
  })
  it('has as much switch as its GPUs send', () => expect(switchBandwidth(nodes['gb200-nvl72'])).toBe(72 * 900e9))
})

describe('eight MI300X', () => {
  it('have 16 links of 64 GB/s between two halves, both ways', () =>
    expect(nodeBisection(nodes['mi300x-8'])).toBe(2 * 16 * 64e9))
})

describe('the nodes', () => {
  it('give each accelerator the egress that its own figures say', () => {
    for (const name of nodeNames)
      for (const device of nodes[name].accelerators)
        if (device !== 'a100-pcie-80gb')
          expect(accelerator(device).scaleUpBytesPerSecond).toBe(deviceEgress(nodes[name]))
  })
  it('hold every accelerator but TPUs, the V100 and the Ascend 950', () => {
    const loose = acceleratorNames.filter((name) => nodeOf(name) === undefined && !name.startsWith('tpu'))
    expect(loose).toEqual(['ascend-950', 'v100-sxm'])
  })
  it('stand in servers that are registered, where they are a part of one', () => {
    expect(serverOf('rtx-a6000')).toBe(nodes['pcie-4-server'])
    expect(serverOf('h100-sxm')).toBe(nodes['hgx-h100'])
    expect(serverOf('tpu-v5e')).toBeUndefined()
    for (const name of nodeNames) expect(() => serverOf(nodes[name].accelerators[0]!)).not.toThrow()
  })
  it('are found by name, with near ones for a wrong one', () => {
    expect(node('HGX-H100').devices).toBe(8)
    expect(() => node('hgx-h10')).toThrow(/Did you mean hgx-h100/)
    expect(() => link('nvlink4')).toThrow(/nvlink-4/)
  })
})
