import { compareVersions } from '../../calibration/compareVersions.ts'
import type { AllReduceTable } from '../../calibration/kernelParameters.ts'
import { allReduceBytes, type CollectiveParameters, collectiveSeconds } from '../../calibration/kernels/allReduce.ts'
import { collectiveLink } from '../collectiveLink.ts'
import { TRAVELLING_ACTIVATION_BYTES } from '../dtypes.ts'
import { allReducesPerLayer } from '../shardedModel.ts'
import type { StepBreakdown } from '../stepCost.ts'
import type { CalibratedInput } from './calibratedInput.ts'

/** Up to this payload engines use their own all-reduce inside CUDA graphs; NCCL above. */
const SMALL_PAYLOAD_BYTES = 8e6

/** DeepEP low latency on 8 H100: 11.6 us and 260 GB/s of a 450 GB/s link. */
const DISPATCH = { fixedSeconds: 11.6e-6, linkShare: 0.58 }

/** NCCL between two accelerators of different stages, and rings over links nobody measured. */
const UNMEASURED = { fixedSeconds: 1e-5, secondsPerRank: 2e-6, linkShare: 0.7 }

/** The table of the version nearest below the engine's, else the oldest. */
function tableFor(tables: readonly AllReduceTable[], version: string): AllReduceTable | undefined {
  const below = tables.filter((table) => compareVersions(table.version, version) <= 0)
  return below.at(-1) ?? tables[0]
}

function nearestRanks(table: AllReduceTable, ranks: number): CollectiveParameters {
  const sorted = [...table.byRanks].sort((a, b) => Math.abs(a.ranks - ranks) - Math.abs(b.ranks - ranks))
  return sorted[0]!
}

/**
 * Figures of the two all-reduces among `ranks`, or an estimate from the link where none was measured. Behind PCIe both
 * kernels wait for the same link, and the table of the engine's own age knows how fast it was.
 */
function allReduceFigures(
  input: CalibratedInput,
  ranks: number,
): { small: CollectiveParameters; large: CollectiveParameters } {
  const { parameters, overheads } = input
  const link = collectiveLink(input.accelerator, ranks, input.scaleUpDomain)
  const version = overheads.engine === 'vllm' ? input.engine.slice(input.engine.lastIndexOf('-') + 1) : '0.15.1'
  const small = tableFor(parameters.smallAllReduce, version)
  const large = tableFor(parameters.largeAllReduce, '99')
  if (link.kind === 'scale-out' || (small === undefined && large === undefined)) {
    input.note(`all-reduce among ${ranks} not measured: a ring at 70 % of the ${link.kind} bandwidth`)
    const estimate = {
      ranks,
      fixedSeconds: UNMEASURED.fixedSeconds + ranks * UNMEASURED.secondsPerRank,
      bytesPerSecond: UNMEASURED.linkShare * link.bytesPerSecond,
      secondsPerRootByte: 0,
    }
    return { small: estimate, large: estimate }
  }
  const smallFigures = nearestRanks(small ?? large!, ranks)
  const largeFigures = link.kind === 'pcie' ? smallFigures : nearestRanks(large ?? small!, ranks)
  if (smallFigures.ranks !== ranks) input.note(`all-reduce among ${ranks} not measured: that of ${smallFigures.ranks}`)
  return { small: smallFigures, large: largeFigures }
}

export type AddCollectives = (tokens: number, rankTokens: number, into: StepBreakdown) => void

/** All-reduces over tensor ranks, dispatch and combine over data-parallel experts, and hand-over between stages. */
export function collectiveAdder(input: CalibratedInput): AddCollectives {
  const { layout, accelerator, scaleUpDomain, model } = input
  const tokenBytes = input.architecture.hiddenSize * TRAVELLING_ACTIVATION_BYTES
  let allReduces = 0
  let dispatches = 0
  let visits = 0
  for (const group of model.groups) {
    allReduces += group.count * allReducesPerLayer(group, layout)
    if (group.experts === undefined || layout.dp === 1) continue
    dispatches += 2 * group.count
    visits += 2 * group.count * group.experts.expertsPerToken
  }
  const expertRanks = layout.tp * layout.dp
  const expertLink = collectiveLink(accelerator, expertRanks, scaleUpDomain)
  const stageLink = collectiveLink(accelerator, layout.pp === 1 ? 1 : expertRanks * layout.pp, scaleUpDomain)
  const figures = layout.tp > 1 ? allReduceFigures(input, layout.tp) : undefined
  if (dispatches > 0) input.note('dispatch to experts: measured on 8 H100, scaled by link bandwidth')
  return (tokens, rankTokens, into) => {
    const payload = rankTokens * tokenBytes
    if (figures !== undefined) {
      const { small, large } = figures
      const used = payload <= SMALL_PAYLOAD_BYTES ? small : large
      const alone = collectiveSeconds(used, allReduceBytes(payload, layout.tp))
      into.collectives += allReduces * input.overheads.step.allReduceFactor * alone
    }
    if (dispatches > 0) {
      const sentSeconds = ((tokens / expertRanks) * tokenBytes) / (DISPATCH.linkShare * expertLink.bytesPerSecond)
      into.collectives += dispatches * DISPATCH.fixedSeconds + visits * sentSeconds * (1 - 1 / expertRanks)
    }
    if (layout.pp > 1) {
      const handOver = UNMEASURED.fixedSeconds + payload / (UNMEASURED.linkShare * stageLink.bytesPerSecond)
      into.collectives += (layout.pp - 1) * handOver
    }
  }
}
