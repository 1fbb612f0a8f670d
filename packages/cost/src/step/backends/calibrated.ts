import { parametersFor } from '../../calibration/parametersFor.ts'
import { calibratedTerms } from '../calibrated/calibratedTerms.ts'
import { engineOverheadsFor } from '../engineOverheads/index.ts'
import { OperatorStepCost } from '../operatorStepCost.ts'
import { shardModel } from '../shardedModel.ts'
import type { StepCost } from '../stepCost.ts'
import type { StepCostInput } from '../stepCostInput.ts'

/** Measured kernels and engine overheads of the accelerator and engine, or of the nearest known; says where it extrapolates. */
export function calibrated(input: StepCostInput): StepCost {
  const own = input.kernelParameters
  const kernels = own === undefined ? parametersFor(input.accelerator) : { parameters: own, extrapolations: [] }
  const engine = engineOverheadsFor(input.engine)
  const extrapolations = new Set([...input.extrapolations, ...kernels.extrapolations, ...engine.extrapolations])
  const step = { ...engine.overheads.step, ...input.stepOverheads }
  const terms = calibratedTerms({
    ...input,
    model: shardModel(input.architecture, input.layout, input.dtypes),
    parameters: kernels.parameters,
    overheads: { ...engine.overheads, step },
    note: (extrapolation) => extrapolations.add(extrapolation),
  })
  return new OperatorStepCost('calibrated', terms, [...extrapolations])
}
