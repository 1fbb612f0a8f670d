import { fittedEngine, fittedKernels, type ParameterFile } from '@windtunnel/cost/calibration/parameterFile'
import type { MeasuredRun } from '../validate/measured/measuredRun.ts'
import type { Tuning } from '../validate/predict/tuning.ts'

/** The figures of a parameter file for a run: those of its engine and of its accelerator. */
export const tuningFrom =
  (file: ParameterFile) =>
  ({ deployment }: MeasuredRun): Tuning => {
    const engine = fittedEngine(file, `${deployment.engine.name}-${deployment.engine.version}`)
    return {
      ...(engine?.step === undefined ? {} : { step: engine.step }),
      ...(engine?.frontEnd === undefined ? {} : { frontEnd: engine.frontEnd }),
      kernels: (accelerator) => fittedKernels(file, accelerator),
    }
  }
