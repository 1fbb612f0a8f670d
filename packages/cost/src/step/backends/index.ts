import type { StepCost } from '../stepCost.ts'
import type { StepCostInput } from '../stepCostInput.ts'
import * as all from './all.ts'

/** The step cost backends by name. */
export const stepBackends = all

export type StepBackendName = keyof typeof stepBackends

export const stepBackendNames = Object.keys(stepBackends) as readonly StepBackendName[]

/** A way to get step times: bound once to a model, an accelerator, a layout and number formats. */
export type StepBackend = (input: StepCostInput) => StepCost
