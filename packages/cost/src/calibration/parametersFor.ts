import type { Accelerator } from '@windtunnel/hardware'
import { genericParameters } from './genericParameters.ts'
import type { KernelParameters } from './kernelParameters.ts'
import { peaksOf } from './kernels/peaks.ts'
import { kernelParameters } from './parameters/index.ts'
import { kernelRelatives, relatives } from './relatives.ts'

/** Parameters to use for an accelerator, and sentences that say where they are not its own. */
export interface ChosenParameters {
  parameters: KernelParameters
  extrapolations: string[]
}

const kernelGroups = [
  ['gemm', 'matrix multiplication'],
  ['decodeAttention', 'decode attention'],
  ['prefillAttention', 'prefill attention'],
  ['latentDecode', 'latent decode attention'],
  ['latentPrefill', 'latent prefill attention'],
  ['fewExperts', 'layers of few experts'],
  ['manyExperts', 'layers of many experts'],
] as const

/** Formats measured for a kernel, the relative's where this accelerator lacks one. */
const merged = (own: KernelParameters, other: KernelParameters): KernelParameters => {
  const groups = kernelGroups.map(([group]) => [group, { ...other[group], ...own[group] }])
  return {
    ...own,
    ...Object.fromEntries(groups),
    smallAllReduce: own.smallAllReduce.length > 0 ? own.smallAllReduce : other.smallAllReduce,
    largeAllReduce: own.largeAllReduce.length > 0 ? own.largeAllReduce : other.largeAllReduce,
  }
}

/**
 * Fitted parameters for an accelerator: its own, filled up from a relative where a kernel was not measured on it; a
 * relative's efficiencies on its own datasheet peaks; or typical efficiencies.
 */
export function parametersFor(accelerator: Accelerator): ChosenParameters {
  const own = kernelParameters.get(accelerator.name)
  if (own !== undefined) return filledUp(own, kernelParameters.get(kernelRelatives[accelerator.name] ?? ''))
  const relative = kernelParameters.get(relatives[accelerator.name] ?? '')
  if (relative === undefined) {
    const sentence = `no measured kernels for ${accelerator.name}: typical efficiencies on its datasheet peaks`
    return { parameters: genericParameters(accelerator), extrapolations: [sentence] }
  }
  return {
    parameters: { ...relative, accelerator: accelerator.name, peaks: peaksOf(accelerator) },
    extrapolations: [
      `no measured kernels for ${accelerator.name}: efficiencies of ${relative.accelerator} on its datasheet peaks`,
    ],
  }
}

function filledUp(own: KernelParameters, relative: KernelParameters | undefined): ChosenParameters {
  if (relative === undefined) return { parameters: own, extrapolations: [] }
  const missing: string[] = []
  for (const [group, title] of kernelGroups) if (Object.keys(own[group]).length === 0) missing.push(title)
  if (own.smallAllReduce.length === 0 && own.largeAllReduce.length === 0) missing.push('all-reduce')
  const extrapolations =
    missing.length === 0
      ? []
      : [`not measured on ${own.accelerator}, taken from ${relative.accelerator}: ${missing.join(', ')}`]
  return { parameters: merged(own, relative), extrapolations }
}
