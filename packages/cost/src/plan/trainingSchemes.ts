import { criticalIntensity } from '../rooflines/index.ts'
import { matmulFlopsPerSecond } from '../step/dtypes.ts'
import {
  dataParallelMinTokensPerChip,
  maxTensorParallelism,
  mixedMinTokensPerChip,
  type TrainingVerdict,
} from '../training/index.ts'
import type { ModelSizes } from './modelSizes.ts'
import type { PlanNetwork } from './network.ts'
import { planLayer } from './trainingLayouts.ts'
import type { SchemeVerdict, TrainingQuestion } from './trainingPlan.ts'

type Asked = Parameters<typeof planLayer>[0] & Pick<Required<TrainingQuestion>, 'dtype'>

const verdictOf = (holds: boolean): TrainingVerdict => (holds ? 'compute-bound' : 'comms-bound')

/**
 * The closed rules of the book for a slice: tokens per chip that pure FSDP (T3) and a mix (T7 or T8) need, and the ways
 * of tensor parallelism that stay compute-bound (T4). Experts raise the first two by E/k (G18). Behind switches FSDP
 * crosses nodes at their egress (G17), tensor parallelism stays inside (G20), and there is no closed rule for a mix.
 */
export function schemeVerdicts(asked: Asked, model: ModelSizes, network: PlanNetwork): readonly SchemeVerdict[] {
  const { batchTokens, dFf, bytesPerElement } = planLayer(asked, model)
  const peak = matmulFlopsPerSecond(asked.accelerator, asked.dtype)
  const tokensPerChip = batchTokens / asked.chips
  const torus = network.kind === 'torus'
  const axes = torus ? network.axes : 1
  const inside = torus ? network.linkBytesPerSecond : network.gpuBytesPerSecond
  const crosses = !torus && asked.chips > network.gpusPerNode
  const alpha = criticalIntensity(peak, inside)
  const alphaFsdp = crosses ? criticalIntensity(peak, network.nodeBytesPerSecond ?? inside) : alpha
  const rule = { bytesPerElement, criticalIntensity: alpha }
  const fsdp =
    model.heldPerUsedWeight * dataParallelMinTokensPerChip({ bytesPerElement, criticalIntensity: alphaFsdp, axes })
  const ways = maxTensorParallelism({ ...rule, dFf, axes })
  const verdicts: SchemeVerdict[] = [
    {
      scheme: 'fsdp',
      measure: 'tokens per chip',
      threshold: fsdp,
      found: tokensPerChip,
      verdict: verdictOf(tokensPerChip > fsdp),
    },
    { scheme: 'tensor', measure: 'ways', threshold: ways, found: asked.chips, verdict: verdictOf(asked.chips < ways) },
  ]
  if (!torus || axes < 2) return verdicts
  const { overlap } = asked
  const mixed = model.heldPerUsedWeight * mixedMinTokensPerChip({ ...rule, dFf, axesProduct: axes - 1, overlap })
  const verdict = verdictOf(tokensPerChip > mixed)
  return [...verdicts, { scheme: 'mixed', measure: 'tokens per chip', threshold: mixed, found: tokensPerChip, verdict }]
}
