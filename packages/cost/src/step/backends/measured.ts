import { CostInputError } from '../../costInputError.ts'
import { measuredStepCost } from '../measuredStepCost.ts'
import type { StepCost } from '../stepCost.ts'
import type { StepCostInput } from '../stepCostInput.ts'

/** One measured decode step. */
export interface MeasuredDecodeStep {
  sequences: number
  /** Sum over the sequences of the KV entries they attend to. */
  contextTokens: number
  seconds: number
}

/** One measured step that computes a prompt, or a chunk of one, alone. */
export interface MeasuredPrefillStep {
  tokens: number
  /** Tokens computed before this chunk. */
  contextTokens: number
  seconds: number
}

/** A user's own table of step times for one model, layout and accelerator. */
export interface MeasuredSteps {
  decode: readonly MeasuredDecodeStep[]
  prefill: readonly MeasuredPrefillStep[]
}

/** Interpolation in the user's own table. Throws CostInputError without one. */
export function measured(input: Pick<StepCostInput, 'measuredSteps'>): StepCost {
  if (input.measuredSteps === undefined) {
    throw new CostInputError({
      where: 'step cost backend measured',
      quantity: 'measuredSteps',
      expected: '{ decode: [{ sequences, contextTokens, seconds }], prefill: [{ tokens, contextTokens, seconds }] }',
      found: undefined,
    })
  }
  return measuredStepCost(input.measuredSteps)
}
