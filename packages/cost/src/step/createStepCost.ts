import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import { CostInputError } from '../costInputError.ts'
import { type StepBackend, type StepBackendName, stepBackendNames, stepBackends } from './backends/index.ts'
import type { LinearCoefficients } from './backends/linear.ts'
import type { MeasuredSteps } from './backends/measured.ts'
import { scaleUpDomainOf } from './collectiveLink.ts'
import { type StepDtypes, stepDtypesOf } from './dtypes.ts'
import { layoutOf, type ReplicaLayout, requireLayoutFor } from './layout.ts'
import type { StepCost } from './stepCost.ts'

/** What a step cost is made from. Only model and accelerator have no default. */
export interface StepCostOptions {
  backend?: StepBackendName | undefined
  architecture: Architecture
  accelerator: Accelerator
  /** Degrees left out are 1. */
  layout?: Partial<ReplicaLayout> | undefined
  /** bf16 where left out. */
  dtypes?: Partial<StepDtypes> | undefined
  /** Accelerators that one scale-up network joins; 8 a node for GPUs unless the rack is one domain. */
  scaleUpDomain?: number | undefined
  /** 0 for evenly used experts, 1 for a power law; 0.5 where left out. */
  routingSkew?: number | undefined
  /** For the `linear` backend. */
  coefficients?: LinearCoefficients | undefined
  /** For the `measured` backend. */
  measuredSteps?: MeasuredSteps | undefined
}

/**
 * The step cost of one replica. Throws CostInputError for an unknown backend or format, for a layout into which the model
 * cannot be cut, and where a backend lacks what it needs.
 */
export function createStepCost(options: StepCostOptions): StepCost {
  const { architecture, accelerator } = options
  const layout = layoutOf(options.layout)
  requireLayoutFor(architecture, layout)
  return backendOf(options.backend ?? 'roofline')({
    architecture,
    accelerator,
    layout,
    dtypes: stepDtypesOf(options.dtypes),
    scaleUpDomain: options.scaleUpDomain ?? scaleUpDomainOf(accelerator),
    routingSkew: routingSkewOf(options.routingSkew ?? 0.5),
    coefficients: options.coefficients,
    measuredSteps: options.measuredSteps,
  })
}

function backendOf(name: string): StepBackend {
  if (!Object.hasOwn(stepBackends, name)) {
    const expected = `one of ${stepBackendNames.join(', ')}`
    throw new CostInputError({ where: 'step cost', quantity: 'backend', expected, found: name })
  }
  return stepBackends[name as StepBackendName]
}

function routingSkewOf(found: number): number {
  if (found >= 0 && found <= 1) return found
  throw new CostInputError({ where: 'step cost', quantity: 'routingSkew', expected: 'between 0 and 1', found })
}
