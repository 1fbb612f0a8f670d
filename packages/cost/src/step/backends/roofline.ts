import { OperatorStepCost } from '../operatorStepCost.ts'
import { rooflineTerms } from '../rooflineTerms.ts'
import type { StepCost } from '../stepCost.ts'
import type { StepCostInput } from '../stepCostInput.ts'

/** Datasheet peaks only: an upper bound on speed. */
export const roofline = (input: StepCostInput): StepCost =>
  new OperatorStepCost('roofline', rooflineTerms(input), [
    ...input.extrapolations,
    'roofline: datasheet peaks, no launch, host or synchronisation time; real steps are slower',
  ])
