import { createStepCost } from '@windtunnel/cost/step/createStepCost'
import type { StepBatch } from '@windtunnel/cost/step/stepCost'
import { accelerator } from '@windtunnel/hardware'
import { model } from '@windtunnel/models'
import type { MeasuredStep, StepTrace } from '../measured/measuredSteps.ts'
import { formatOf } from '../predict/numberFormats.ts'
import type { Tuning } from '../predict/tuning.ts'

/** What an iteration computed. */
export type Composition = 'decode' | 'prefill' | 'mixed'

/** One iteration, predicted and measured, in seconds. */
export interface PredictedStep {
  composition: Composition
  tokens: number
  sequences: number
  predicted: number
  measured: number
}

export const compositionOf = (step: MeasuredStep): Composition =>
  step.prefillRequests === 0 ? 'decode' : step.decodeSequences === 0 ? 'prefill' : 'mixed'

/** Times of the iterations of a trace by the step cost of its engine. Throws where model or layout are unknown. */
export function predictSteps(trace: StepTrace, tuning: Tuning = {}): { steps: PredictedStep[]; remarks: string[] } {
  if (trace.unstated !== undefined) throw new Error(trace.unstated)
  const hardware = accelerator(trace.accelerator)
  const cost = createStepCost({
    architecture: model(trace.model),
    accelerator: hardware,
    layout: trace.layout,
    dtypes: { ...weightsOf(trace.model), keyValues: formatOf(trace.keyValuePrecision ?? 'bf16', trace.id) },
    engine: `${trace.engine.name}-${trace.engine.version}`,
    stepOverheads: tuning.step,
    kernelParameters: tuning.kernels?.(hardware.name),
    maxSequences: trace.engine.maxSequences,
    filteredSampling: false,
  })
  const ranks = trace.layout.dp
  return {
    steps: trace.steps.map((step) => ({
      composition: compositionOf(step),
      tokens: step.prefillTokens + step.decodeSequences,
      sequences: step.decodeSequences,
      predicted: cost.seconds(batchOf(step, ranks)),
      measured: step.seconds,
    })),
    remarks: [...cost.extrapolations],
  }
}

/** Published checkpoints of these models keep their weights so. */
const weightsOf = (name: string) =>
  /deepseek-v4/i.test(name)
    ? { weights: 'fp8-block' as const, experts: 'mxfp4' as const }
    : { weights: 'bf16' as const }

/** The batch of all data-parallel ranks, each taken to do what the traced one did. */
function batchOf(step: MeasuredStep, ranks: number): StepBatch {
  const chunks = step.prefillRequests * ranks
  const each = Math.max(1, step.prefillRequests)
  const context = (step.decodeContextTokens + step.decodeSequences) * ranks
  return {
    chunkCount: chunks,
    chunkTokens: Array.from({ length: chunks }, () => step.prefillTokens / each),
    chunkContext: Array.from({ length: chunks }, () => step.prefillContextTokens / each),
    chunkSamples: chunks,
    decodeSequences: step.decodeSequences * ranks,
    decodeContextTokens: context,
    decodeWindowTokens: context,
  }
}
