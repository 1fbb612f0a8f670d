import { arithmeticNotes, matmulFlopsPerSecond, stepDtypesOf } from '../step/dtypes.ts'
import { type TrainingMemory, type TrainingMix, trainingSecondsForTokens } from '../training/index.ts'
import type { ModelSizes } from './modelSizes.ts'
import { networkNotes, type PlanNetwork } from './network.ts'
import type { AnsweredQuestion, TrainingPlan } from './trainingPlan.ts'

/** What stops a plan from being faster, and why. */
export function planVerdict(
  memory: TrainingMemory & { fits: boolean },
  best: TrainingMix,
  across: TrainingPlan['acrossSlices'],
): Pick<TrainingPlan, 'verdict' | 'reason'> {
  if (!memory.fits) {
    const reason = `weights, optimizer state and checkpoints do not fit; sharded evenly they need ${memory.minChips} chips`
    return { verdict: 'memory-bound', reason }
  }
  if (best.verdict === 'comms-bound') {
    const slower = best.fsdpSeconds >= best.tensorSeconds ? 'gathering weights' : 'gathering activations'
    return { verdict: 'comms-bound', reason: `${slower} takes longer than the arithmetic in the best layout` }
  }
  if (across?.verdict === 'comms-bound') {
    return { verdict: 'comms-bound', reason: 'gradients between slices take longer than the arithmetic' }
  }
  return { verdict: 'compute-bound', reason: 'arithmetic takes longer than communication in the best layout' }
}

/** Communication that takes longer than arithmetic lowers the utilisation at most to their quotient. */
export function planTime(
  asked: AnsweredQuestion,
  model: ModelSizes,
  chips: number,
  parts: readonly ({ mathSeconds: number; seconds: number } | undefined)[],
): TrainingPlan['time'] {
  const reachable = parts.map((part) => (part === undefined ? 1 : part.mathSeconds / part.seconds))
  const utilisation = Math.min(asked.utilisation, ...reachable)
  const peakFlopsPerSecond = matmulFlopsPerSecond(asked.accelerator, asked.dtype)
  const work = { activatedParams: model.activatedParams, chips, peakFlopsPerSecond, utilisation }
  const stepSeconds = trainingSecondsForTokens({ ...work, tokens: asked.batchTokens })
  const { runTokens } = asked
  const runSeconds = runTokens === undefined ? undefined : trainingSecondsForTokens({ ...work, tokens: runTokens })
  const chipHours = runSeconds === undefined ? undefined : (runSeconds * chips) / 3600
  const price = asked.accelerator.priceUsdPerHour
  return {
    utilisation,
    stepSeconds,
    steps: runTokens === undefined ? undefined : Math.ceil(runTokens / asked.batchTokens),
    runSeconds,
    chipHours,
    usd: chipHours === undefined || price === undefined ? undefined : chipHours * price,
  }
}

/** What a plan takes for granted. */
export function planAssumptions(asked: AnsweredQuestion, network: PlanNetwork): string[] {
  const { accelerator, dtype } = asked
  return [
    ...arithmeticNotes(accelerator, stepDtypesOf({ weights: dtype })),
    ...networkNotes(accelerator, network),
    `model FLOPs utilisation of ${asked.utilisation} where communication allows`,
    `${asked.savedArraysPerLayer} arrays of tokens x D kept per layer; weights, optimizer state and checkpoints sharded over all chips of a slice`,
    `collectives on different axes ${asked.overlap === 'overlapped' ? 'overlap' : 'run one after the other'}, and overlap with arithmetic`,
    'attention, gating and norms do not change the bound of a layer',
    network.kind === 'torus'
      ? 'every axis of the slice has wraparound links'
      : 'nodes on a fat tree of full bisection; no in-network reduction',
  ]
}
