import { fsdpForward, mixedForward, switchedMixes, type TrainingMix } from '@windtunnel/cost'
import { describe, expect, test } from 'vitest'

// A round GPU: nodes of 4, 1 GB/s inside, 2 GB/s out of a node.
const nodes = { peakFlopsPerSecond: 1e12, gpusPerNode: 4, gpuBytesPerSecond: 1e9, nodeBytesPerSecond: 2e9 }
const layer = { batchTokens: 8000, dModel: 100, dFf: 1000 }

const withTensors = (mixes: readonly TrainingMix[], tensorShards: number) =>
  mixes.find((mix) => mix.tensorShards === tensorShards)!

describe('mixes on GPUs behind switches', () => {
  test('across nodes the weights pass the egress of a node, whatever the tensor parallelism inside (G14)', () => {
    const mixes = switchedMixes({ ...layer, ...nodes, gpus: 16, overlap: 'overlapped' })
    // Weights 4*100*1000 = 0.4 MB: 0.4 ms inside a GPU's link, 0.2 ms out of a node.
    expect(withTensors(mixes, 1).fsdpSeconds).toBeCloseTo(4e-4, 12)
    expect(withTensors(mixes, 2).fsdpSeconds).toBeCloseTo(2e-4, 12)
    expect(withTensors(mixes, 4).fsdpSeconds).toBeCloseTo(2e-4, 12)
    // Activations 4*8000*100 = 3.2 MB over X = 4 shards at 1 GB/s.
    expect(withTensors(mixes, 4).tensorSeconds).toBeCloseTo(8e-4, 12)
    expect(mixes.map(({ tensorShards }) => tensorShards).sort()).toEqual([1, 2, 4])
  })

  test('inside one node it is the torus of one axis without the axes to share', () => {
    const mixes = switchedMixes({ ...layer, ...nodes, gpus: 4, overlap: 'serial' })
    const chip = { peakFlopsPerSecond: 1e12, linkBytesPerSecond: 1e9 }
    const shards = { fsdpShards: 2, tensorShards: 2, fsdpAxes: 1, tensorAxes: 1 }
    const onTorus = mixedForward({ ...layer, ...chip, ...shards, overlap: 'serial' })
    expect(withTensors(mixes, 2)).toEqual({ ...onTorus, ...shards })
  })

  test('GPUs beyond a node need a bandwidth between nodes', () => {
    const alone = { ...nodes, nodeBytesPerSecond: undefined }
    const call = () => switchedMixes({ ...layer, ...alone, gpus: 8, overlap: 'serial' })
    expect(call).toThrow(/gpus must be at most 4, one node/)
  })

  test('a mixture that holds four times the weights it uses gathers four times the bytes (G18)', () => {
    const of = (heldPerUsedWeight: number) =>
      fsdpForward({
        ...layer,
        peakFlopsPerSecond: 1e12,
        linkBytesPerSecond: 1e9,
        shards: 4,
        axes: 1,
        heldPerUsedWeight,
      })
    expect(of(4).commsSeconds / of(1).commsSeconds).toBeCloseTo(4, 12)
    expect(of(4).mathSeconds).toBe(of(1).mathSeconds)
  })
})
