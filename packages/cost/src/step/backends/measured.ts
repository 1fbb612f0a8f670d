import { CostInputError } from '../../costInputError.ts'
import { measuredStepCost } from '../measuredStepCost.ts'
import type { StepCost } from '../stepCost.ts'
import type { StepCostInput } from '../stepCostInput.ts'

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
