import type { KernelParameters } from '@windtunnel/cost/calibration/kernelParameters'
import type { FrontEndOverheads, StepOverheads } from '@windtunnel/cost/step/engineOverheads/index'

/** Figures to use in place of the registered ones: of the engine, by its name and version, and of an accelerator. */
export interface Tuning {
  step?: Partial<StepOverheads>
  frontEnd?: Partial<FrontEndOverheads>
  stepsInFlight?: number
  /** How unevenly tokens spread over experts: 0 evenly, 1 by a power law. */
  routingSkew?: number
  kernels?: (accelerator: string) => KernelParameters | undefined
}
