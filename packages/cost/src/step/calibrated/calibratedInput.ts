import type { KernelParameters } from '../../calibration/kernelParameters.ts'
import type { EngineOverheads } from '../engineOverheads/index.ts'
import type { ShardedModel } from '../shardedModel.ts'
import type { StepCostInput } from '../stepCostInput.ts'

/** What the terms of a calibrated step are made from. `note` records an extrapolation once. */
export interface CalibratedInput extends StepCostInput {
  model: ShardedModel
  parameters: KernelParameters
  overheads: EngineOverheads
  note(extrapolation: string): void
}
