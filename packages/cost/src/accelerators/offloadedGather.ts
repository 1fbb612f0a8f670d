import { requirePositive } from '../costInputError.ts'
import { mathSeconds, moveSeconds } from '../rooflines/time.ts'

/** The stages of an array's way from the hosts' memory to a matmul on one chip. */
export type GatherStage = 'pcie' | 'ici' | 'hbm' | 'compute'

export interface OffloadedGather {
  readonly stageSeconds: Readonly<Record<GatherStage, number>>
  readonly flops: number
  readonly bottleneck: GatherStage
  /** All stages pipelined: the longest. */
  readonly lowerSeconds: number
  /** One stage after another: the sum. */
  readonly upperSeconds: number
}

/**
 * An array sharded over the host memory of several chips is gathered onto one of them and multiplied. Book ch. 2, H10:
 * `bytes/(chips W_pcie)`, `bytes (n-1)/n / (inbound_links W_oneway)`, `bytes/W_hbm`, `FLOPs/C`.
 * @param of bytes of the array; chips that hold a shard (one PCIe link each); bandwidths in bytes/s; links of the
 *   receiving chip that bytes come in by; `flops` of the computation; its peak in FLOP/s
 */
export function offloadedGather(of: {
  readonly bytes: number
  readonly chips: number
  readonly pcieBytesPerSecond: number
  readonly inboundLinks: number
  readonly linkBytesPerSecond: number
  readonly hbmBytesPerSecond: number
  readonly flops: number
  readonly peakFlopsPerSecond: number
}): OffloadedGather {
  requirePositive('offloadedGather', { ...of })
  const { bytes, chips, flops } = of
  const stageSeconds = {
    pcie: moveSeconds(bytes, chips * of.pcieBytesPerSecond),
    ici: moveSeconds((bytes * (chips - 1)) / chips, of.inboundLinks * of.linkBytesPerSecond),
    hbm: moveSeconds(bytes, of.hbmBytesPerSecond),
    compute: mathSeconds(flops, of.peakFlopsPerSecond),
  }
  const stages = Object.keys(stageSeconds) as GatherStage[]
  const bottleneck = stages.reduce((worst, stage) => (stageSeconds[stage] > stageSeconds[worst] ? stage : worst))
  const upperSeconds = stages.reduce((sum, stage) => sum + stageSeconds[stage], 0)
  return { stageSeconds, flops, bottleneck, lowerSeconds: stageSeconds[bottleneck], upperSeconds }
}
