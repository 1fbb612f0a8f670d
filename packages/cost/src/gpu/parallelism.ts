import { requireCount, requirePositive } from '../costInputError.ts'
import { criticalIntensity } from '../rooflines/intensity.ts'
import { dataParallelMinTokensPerChip } from '../training/dataParallel.ts'
import { maxTensorParallelism } from '../training/tensorParallel.ts'

/** A GPU and the collective bandwidth its layer sees: egress of a GPU within a node, of a node across nodes. */
export interface GpuCollective {
  /** Peak of one GPU for the compute dtype, FLOP/s. */
  readonly peakFlopsPerSecond: number
  /** W_collective, bytes/s: 450e9 within an H100 node, 400e9 across. */
  readonly collectiveBytesPerSecond: number
}

/**
 * Tokens for each GPU above which data parallelism, plain or fully sharded, is compute-bound: `B/X > C/W_collective`.
 * Book ch. 12, G17 (H100: 2200 in a node, 2475 across), without reduction in the network. With `experts` of which each
 * token uses `expertsPerToken`, E/k times that (G18); over few ranks X, times `(X-1)/X` (G19); with a model spread over
 * n nodes, divided by n (G23), for those n nodes send together.
 */
export function gpuDataParallelMinTokens(
  of: GpuCollective & {
    readonly experts?: number
    readonly expertsPerToken?: number
    /** Nodes the collective runs over; many unless given. */
    readonly dataParallelNodes?: number
    /** Nodes that one replica of the model spans: TP x PP x EP over GPUs per node, at least 1. */
    readonly modelNodes?: number
  },
): { readonly minTokensPerGpu: number; readonly collectiveBytesPerSecond: number } {
  const { experts = 1, expertsPerToken = 1, dataParallelNodes, modelNodes = 1 } = of
  requireCount('gpuDataParallelMinTokens', { experts, expertsPerToken })
  requirePositive('gpuDataParallelMinTokens', { modelNodes })
  const collectiveBytesPerSecond = of.collectiveBytesPerSecond * Math.max(1, modelNodes)
  const alpha = criticalIntensity(of.peakFlopsPerSecond, collectiveBytesPerSecond)
  const dense = dataParallelMinTokensPerChip({ criticalIntensity: alpha, axes: 1 })
  const fewNodes = dataParallelNodes === undefined ? 1 : fewNodesFactor(dataParallelNodes)
  return { minTokensPerGpu: ((dense * experts) / expertsPerToken) * fewNodes, collectiveBytesPerSecond }
}

/** What few nodes X save on a collective: `(X-1)/X` of the bytes. Book ch. 12, G19. */
export function fewNodesFactor(nodes: number): number {
  requireCount('fewNodesFactor', { nodes })
  return (nodes - 1) / nodes
}

/** How much bandwidth few nodes X gain: `X/(X-1)`, 2 for two nodes. Book ch. 12, G19. */
export const fewNodesGain = (nodes: number): number => 1 / fewNodesFactor(nodes)

/** GPUs that hold one replica of a model, and all that train it: the product of the degrees. Book ch. 12, G23, G26. */
export function parallelDegrees(of: {
  readonly tensor?: number
  readonly pipeline?: number
  readonly expert?: number
  readonly data?: number
  /** 8 unless given. */
  readonly gpusPerNode?: number
}): { readonly modelGpus: number; readonly gpus: number; readonly modelNodes: number } {
  const { tensor = 1, pipeline = 1, expert = 1, data = 1, gpusPerNode = 8 } = of
  requireCount('parallelDegrees', { tensor, pipeline, expert, data, gpusPerNode })
  const modelGpus = tensor * pipeline * expert
  return { modelGpus, gpus: modelGpus * data, modelNodes: Math.max(1, modelGpus / gpusPerNode) }
}

/** Ways of tensor parallelism that stay compute-bound: `Y < F W_collective / C`. Book ch. 12, G20. */
export function gpuTensorParallelLimit(of: GpuCollective & { readonly dFf: number }): number {
  const alpha = criticalIntensity(of.peakFlopsPerSecond, of.collectiveBytesPerSecond)
  return maxTensorParallelism({ dFf: of.dFf, axes: 1, criticalIntensity: alpha })
}

/**
 * The same over exactly two nodes, where only what leaves a node counts: `F > alpha (Y - 8)`, so `Y < F/alpha + 8`. Book
 * ch. 12, G20.
 * @param of bandwidth of a node's egress, bytes/s; GPUs of a node, 8 unless given
 */
export function twoNodeTensorParallelLimit(
  of: GpuCollective & { readonly dFf: number; readonly gpusPerNode?: number },
): number {
  const { gpusPerNode = 8 } = of
  requireCount('twoNodeTensorParallelLimit', { gpusPerNode })
  return gpuTensorParallelLimit(of) + gpusPerNode
}
