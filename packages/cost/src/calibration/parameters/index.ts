import type { KernelParameters } from '../kernelParameters.ts'
import * as all from './all.ts'

/** The fitted parameters by accelerator name. */
export const kernelParameters: ReadonlyMap<string, KernelParameters> = new Map(
  Object.values(all).map((parameters) => [parameters.accelerator, parameters]),
)

export const calibratedAccelerators: readonly string[] = [...kernelParameters.keys()].sort()
