import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import type { KernelParameters } from '../calibration/kernelParameters.ts'
import type { AlphaBetaOptions } from './alphaBetaOptions.ts'
import type { StepDtypes } from './dtypes.ts'
import type { StepOverheads } from './engineOverheads/index.ts'
import type { ReplicaLayout } from './layout.ts'
import type { LinearCoefficients } from './linearCoefficients.ts'
import type { MeasuredSteps } from './measuredSteps.ts'

/** What every backend is built from, with nothing left open. */
export interface StepCostInput {
  architecture: Architecture
  accelerator: Accelerator
  /** What had to be assumed to get here; the step cost repeats it. */
  extrapolations: readonly string[]
  /** Accelerators that one scale-up network joins. */
  scaleUpDomain: number
  layout: ReplicaLayout
  dtypes: StepDtypes
  /** 0 when tokens spread evenly over experts, 1 for a power law; measured traffic lies between. */
  routingSkew: number
  /** Engine and version whose overheads count, as `vllm-0.15.1`. */
  engine: string
  /** Most sequences the engine runs at once; bounds the captured graph sizes. */
  maxSequences: number
  /** Whether tokens are sampled through top-p or top-k, which sorts the vocabulary. */
  filteredSampling: boolean
  /** Overheads in place of those of the engine. */
  stepOverheads: Partial<StepOverheads> | undefined
  /** Kernel figures in place of those registered for the accelerator. */
  kernelParameters: KernelParameters | undefined
  /** For `linear`. */
  coefficients: LinearCoefficients | undefined
  /** For `measured`. */
  measuredSteps: MeasuredSteps | undefined
  /** For `alphaBeta`. */
  alphaBeta: AlphaBetaOptions | undefined
}
