import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import type { LinearCoefficients } from './backends/linear.ts'
import type { MeasuredSteps } from './backends/measured.ts'
import type { StepDtypes } from './dtypes.ts'
import type { ReplicaLayout } from './layout.ts'

/** What every backend is built from, with nothing left open. */
export interface StepCostInput {
  architecture: Architecture
  accelerator: Accelerator
  /** Accelerators that one scale-up network joins. */
  scaleUpDomain: number
  layout: ReplicaLayout
  dtypes: StepDtypes
  /** 0 when tokens spread evenly over experts, 1 for a power law; measured traffic lies between. */
  routingSkew: number
  /** For `linear`. */
  coefficients: LinearCoefficients | undefined
  /** For `measured`. */
  measuredSteps: MeasuredSteps | undefined
}
