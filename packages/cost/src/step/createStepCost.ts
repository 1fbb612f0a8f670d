import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture, SamplingDefaults } from '@windtunnel/models'
import type { KernelParameters } from '../calibration/kernelParameters.ts'
import { CostInputError, requireCount } from '../costInputError.ts'
import type { AlphaBetaOptions } from './alphaBetaOptions.ts'
import { type StepBackend, type StepBackendName, stepBackendNames, stepBackends } from './backends/index.ts'
import { scaleUpDomainOf } from './collectiveLink.ts'
import { type StepDtypes, stepDtypesOf } from './dtypes.ts'
import { DEFAULT_ENGINE, type StepOverheads } from './engineOverheads/index.ts'
import { layoutOf, type ReplicaLayout, requireLayoutFor } from './layout.ts'
import type { LinearCoefficients } from './linearCoefficients.ts'
import type { MeasuredSteps } from './measuredSteps.ts'
import { withSixteenBitPeak } from './sixteenBitPeak.ts'
import type { StepCost } from './stepCost.ts'

/** What a step cost is made from. Only model and accelerator have no default. */
export interface StepCostOptions {
  /** `calibrated` where left out. */
  backend?: StepBackendName | undefined
  architecture: Architecture
  accelerator: Accelerator
  /** Degrees left out are 1. */
  layout?: Partial<ReplicaLayout> | undefined
  /** bf16 where left out. */
  dtypes?: Partial<StepDtypes> | undefined
  /** Accelerators that one scale-up network joins; 8 a node for GPUs unless the rack is one domain. */
  scaleUpDomain?: number | undefined
  /** 0 for evenly used experts, 1 for a power law, as measured traffic does; 1 where left out. */
  routingSkew?: number | undefined
  /** Engine and version whose overheads the `calibrated` backend adds: `vllm-0.15.1` where left out. */
  engine?: string | undefined
  /** Most sequences the engine runs at once (captured graphs reach twice as far, at most 512); 256 where left out. */
  maxSequences?: number | undefined
  /** Whether top-p or top-k is applied; as the model's generation config asks where left out. False for greedy decoding. */
  filteredSampling?: boolean | undefined
  /** Overheads to use in place of single ones of the engine. */
  stepOverheads?: Partial<StepOverheads> | undefined
  /** Kernel figures of the user's own calibration, in place of those registered for the accelerator. */
  kernelParameters?: KernelParameters | undefined
  /** For the `linear` backend. */
  coefficients?: LinearCoefficients | undefined
  /** For the `measured` backend. */
  measuredSteps?: MeasuredSteps | undefined
  /** For the `alphaBeta` backend. */
  alphaBeta?: AlphaBetaOptions | undefined
}

/**
 * The step cost of one replica. Throws CostInputError for an unknown backend or format, for a layout into which the model
 * cannot be cut, and where a backend lacks what it needs.
 */
export function createStepCost(options: StepCostOptions): StepCost {
  const { architecture } = options
  const { accelerator, extrapolations } = withSixteenBitPeak(options.accelerator)
  const layout = layoutOf(options.layout)
  requireLayoutFor(architecture, layout)
  return backendOf(options.backend ?? 'calibrated')({
    architecture,
    accelerator,
    extrapolations,
    layout,
    dtypes: stepDtypesOf(options.dtypes),
    scaleUpDomain: options.scaleUpDomain ?? scaleUpDomainOf(accelerator),
    routingSkew: routingSkewOf(options.routingSkew ?? 1),
    engine: options.engine ?? DEFAULT_ENGINE,
    maxSequences: maxSequencesOf(options.maxSequences ?? 256),
    filteredSampling: options.filteredSampling ?? asksForFilters(architecture.sampling),
    stepOverheads: options.stepOverheads,
    kernelParameters: options.kernelParameters,
    coefficients: options.coefficients,
    measuredSteps: options.measuredSteps,
    alphaBeta: options.alphaBeta,
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

function maxSequencesOf(maxSequences: number): number {
  requireCount('step cost', { maxSequences })
  return maxSequences
}

const asksForFilters = (sampling: SamplingDefaults | undefined): boolean =>
  sampling !== undefined && ((sampling.topP ?? 1) < 1 || (sampling.topK ?? 0) > 0)
