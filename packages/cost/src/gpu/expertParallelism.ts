import { requireCount, requirePositive } from '../costInputError.ts'
import { criticalIntensity } from '../rooflines/intensity.ts'
import { mathSeconds, moveSeconds, type TimeBounds, timeBounds } from '../rooflines/time.ts'
import type { GpuCollective } from './parallelism.ts'

export interface ExpertLayout {
  /** k, experts that each token uses. */
  readonly expertsPerToken: number
  /** Z, GPUs that share the experts. */
  readonly expertGpus: number
  /** 8 unless given. */
  readonly gpusPerNode?: number
}

/** Share of Z groups that tokens leave their node for: `min(8k/Z, 1)`. */
const reached = (layout: ExpertLayout): number =>
  Math.min(((layout.gpusPerNode ?? 8) * layout.expertsPerToken) / layout.expertGpus, 1)

function checkLayout(where: string, layout: ExpertLayout): void {
  const { expertsPerToken, expertGpus, gpusPerNode = 8 } = layout
  requireCount(where, { expertsPerToken, expertGpus, gpusPerNode })
}

/**
 * Forward pass of an expert layer over Z GPUs on nodes of 8: `T_math = 4BkDF/(ZC)`, two AllToAlls across nodes
 * `T_comms = 4BD(Z-8)/(WZ) min(8k/Z, 1)`. Book ch. 12, G21. Within one node nothing crosses the network.
 * @param of B tokens, D, F of one expert, and the egress of a node as collective bandwidth
 */
export function expertParallelTimes(
  of: GpuCollective & ExpertLayout & { readonly batchTokens: number; readonly dModel: number; readonly dFf: number },
): TimeBounds {
  const { batchTokens, dModel, dFf, expertsPerToken: k, expertGpus: z, gpusPerNode = 8 } = of
  checkLayout('expertParallelTimes', of)
  requirePositive('expertParallelTimes', { batchTokens, dModel, dFf })
  const math = mathSeconds((4 * batchTokens * k * dModel * dFf) / z, of.peakFlopsPerSecond)
  const crossing = (4 * batchTokens * dModel * Math.max(0, z - gpusPerNode)) / z
  return timeBounds(math, moveSeconds(crossing * reached(of), of.collectiveBytesPerSecond))
}

/** Feed-forward dimensions of an expert above which expert parallelism is compute-bound. */
export interface ExpertThresholds {
  /** `alpha (Z-8)/k min(8k/Z, 1)`: exact for this layout. */
  readonly minDff: number
  /** `alpha (Z-8)/k`: for k > Z/8, where tokens reach every node. */
  readonly narrowMinDff: number
  /** `8 alpha`: for Z much larger than k. */
  readonly wideMinDff: number
}

/** The thresholds on F of expert parallelism across nodes. Book ch. 12, G21. */
export function expertParallelMinDff(of: GpuCollective & ExpertLayout): ExpertThresholds {
  checkLayout('expertParallelMinDff', of)
  const { expertsPerToken: k, expertGpus: z, gpusPerNode = 8 } = of
  const alpha = criticalIntensity(of.peakFlopsPerSecond, of.collectiveBytesPerSecond)
  const narrowMinDff = (alpha * Math.max(0, z - gpusPerNode)) / k
  return { minDff: narrowMinDff * reached(of), narrowMinDff, wideMinDff: gpusPerNode * alpha }
}
