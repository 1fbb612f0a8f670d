import { CostInputError, requireCount, requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'
import { byTime, type TrainingMix } from './bestMix.ts'
import { checkLayer, layerActivationBytes, layerMathSeconds, layerWeightBytes, type TrainingLayer } from './layer.ts'
import { type AxisOverlap, mixedTime } from './mixedParallel.ts'

/** GPUs in nodes behind switches, and nodes on a fat tree of full bisection. */
export interface SwitchedNodes {
  /** Peak of one GPU for the compute dtype. */
  peakFlopsPerSecond: number
  /** GPUs of a node, or of another scale-up domain. */
  gpusPerNode: number
  /** Egress of one GPU inside its node, one direction. */
  gpuBytesPerSecond: number
  /** Egress of a node, one direction; undefined where nodes do not talk. */
  nodeBytesPerSecond: number | undefined
}

/**
 * Ways to split GPUs between fully sharded data parallelism and tensor parallelism, best first, as `trainingMixes` does
 * for a torus. Tensor parallelism stays inside a node: `4BD/(X W_gpu)` (G20). The weights of the other GPUs cross nodes
 * at `max(4DF/(Y W_gpu), 4DF/W_node)`, for a node's egress is shared by its GPUs (G14, G17). No in-network reduction.
 * Book ch. 12 with the layer of ch. 5.
 * @throws CostInputError where the GPUs exceed a node and nodes do not talk.
 */
export function switchedMixes(
  inputs: TrainingLayer & SwitchedNodes & { gpus: number; overlap: AxisOverlap; maxFsdpShards?: number },
): readonly TrainingMix[] {
  const { gpus, overlap, gpusPerNode, gpuBytesPerSecond, nodeBytesPerSecond, maxFsdpShards = gpus } = inputs
  requireCount('switchedMixes', { gpus, gpusPerNode, maxFsdpShards })
  requirePositive('switchedMixes', { gpuBytesPerSecond })
  const chip = { peakFlopsPerSecond: inputs.peakFlopsPerSecond, linkBytesPerSecond: gpuBytesPerSecond }
  checkLayer('switchedMixes', inputs, chip, { gpus })
  const crosses = gpus > gpusPerNode
  if (crosses && nodeBytesPerSecond === undefined) {
    const expected = `at most ${gpusPerNode}, one node, as no bandwidth between nodes is given`
    throw new CostInputError({ where: 'switchedMixes', quantity: 'gpus', expected, found: gpus })
  }
  const mixes: TrainingMix[] = []
  for (let tensorShards = 1; tensorShards <= Math.min(gpus, gpusPerNode); tensorShards++) {
    const fsdpShards = gpus / tensorShards
    if (gpus % tensorShards !== 0 || fsdpShards > maxFsdpShards) continue
    const weights = layerWeightBytes(inputs)
    const inside = moveSeconds(weights / tensorShards, gpuBytesPerSecond)
    const between = crosses ? moveSeconds(weights, nodeBytesPerSecond ?? 0) : 0
    const fsdp = fsdpShards === 1 ? 0 : Math.max(inside, between)
    const tensor = tensorShards === 1 ? 0 : moveSeconds(layerActivationBytes(inputs) / fsdpShards, gpuBytesPerSecond)
    const time = mixedTime(layerMathSeconds(inputs, chip, gpus, 'forward'), fsdp, tensor, overlap)
    mixes.push({ fsdpShards, tensorShards, fsdpAxes: 1, tensorAxes: 1, ...time })
  }
  if (mixes.length === 0) {
    const expected = `at least ${gpus} / ${gpusPerNode} in a divisor of the GPUs`
    throw new CostInputError({ where: 'switchedMixes', quantity: 'maxFsdpShards', expected, found: maxFsdpShards })
  }
  return mixes.sort(byTime)
}
