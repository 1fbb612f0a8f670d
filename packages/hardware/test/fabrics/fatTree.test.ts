import { describe, expect, it } from 'vitest'
import { fabric, fabrics, treeBisection, treeDevices, treeLevels, treeNodes, treeSwitches } from '../../src/index.ts'

describe('the H100 SuperPod of 1,024', () => {
  const pod = fabrics['superpod-h100-1024']
  it('has 128 nodes and 512 + 32 + 16 switches', () => {
    expect(treeDevices(pod)).toBe(1024)
    expect(treeNodes(pod)).toBe(128)
    expect(treeSwitches(pod)).toBe(560)
  })
  it('derives the table of chapter 12 level by level', () => {
    expect(
      treeLevels(pod).map((level) => [
        level.devices,
        level.degree,
        level.switchBytesPerSecond,
        level.cableBytesPerSecond,
        level.deviceBytesPerSecond,
        level.collectiveBytesPerSecond,
      ]),
    ).toEqual([
      [8, 8, 6.4e12, 3.6e12, 450e9, 450e9],
      [256, 32, 25.6e12, 12.8e12, 50e9, 400e9],
      [1024, 4, 51.2e12, 51.2e12, 50e9, 400e9],
    ])
  })
  it('gives G12 its 514, 413 and 17,067 GB/s', () => {
    const g12 = treeLevels(pod).map(
      ({ degree, childBytesPerSecond }) => (degree * childBytesPerSecond) / (degree - 1) / 1e9,
    )
    expect(g12.map(Math.round)).toEqual([514, 413, 17067])
  })
  it('has full bisection: 1,024 x 50 GB/s both ways', () => expect(treeBisection(pod)).toBe(1024 * 50e9))
})

describe('larger and other pods', () => {
  it('2,048 GPUs keep 12.8 TB/s a unit with one cable for each leaf and spine', () => {
    expect(treeLevels(fabrics['superpod-h100-2048'])[2]?.childBytesPerSecond).toBe(12.8e12)
    expect(treeDevices(fabrics['superpod-h100-2048'])).toBe(2048)
  })
  it('4,096 GPUs keep the egress of every node up to the spines', () =>
    expect(treeLevels(fabrics['superpod-h100-4096'])[2]?.collectiveBytesPerSecond).toBe(400e9))
  it('eight NVL72 racks join at 3.6 TB/s each', () => {
    const levels = treeLevels(fabrics['superpod-gb200-576'])
    expect(levels.map((level) => [level.level, level.devices, level.collectiveBytesPerSecond])).toEqual([
      ['node', 72, 900e9],
      ['unit', 576, 3.6e12],
    ])
    expect(levels[1]!.switchBytesPerSecond! / 2).toBe(576 * 50e9)
  })
  it('a wrong name lists near ones', () => expect(() => fabric('superpod-h100')).toThrow(/superpod-h100-1024/))
})
