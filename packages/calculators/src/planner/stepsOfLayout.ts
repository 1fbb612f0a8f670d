import {
  alphaBetaStepCost,
  type CommunicationParts,
  communicationOf,
} from '@windtunnel/cost/deployment/alphaBetaStepCost'
import { attentionWindowTokens } from '@windtunnel/cost/step/attentionWindow'
import type { ReplicaLayout } from '@windtunnel/cost/step/layout'
import { emptyBatch, type StepBatch, type StepCost } from '@windtunnel/cost/step/stepCost'
import type { PlanQuestion } from './planQuestion.ts'

/** Parts of one decode step, in seconds; they add up to the step. */
export interface StepParts extends CommunicationParts {
  readonly weights: number
  readonly kv: number
  readonly compute: number
}

/** How long the steps of one instance take. */
export interface LayoutSteps {
  /** The cost of a step as every engine takes it. */
  readonly cost: StepCost
  /** A decode step of sessions whose contexts, before the step, add up to so much. Seconds. */
  readonly decodeSeconds: (sessions: number, contextTokens: number) => number
  /** Prefill of a prompt after some context. Seconds. */
  readonly prefillSeconds: (promptTokens: number, contextTokens: number) => number
  readonly decodeParts: (sessions: number, contextTokens: number) => StepParts
}

/**
 * Step times of a layout. Stages work on as many micro-batches at once as there are stages, if there are sessions for
 * them: (6-7) without a bubble, so that a step lasts one pass of a micro-batch.
 * @throws CostInputError for a layout into which the model cannot be cut
 */
export function stepsOfLayout(question: PlanQuestion, layout: ReplicaLayout): LayoutSteps {
  const { architecture, accelerator, dtypes, network } = question
  const options = { architecture, accelerator, layout, dtypes, network }
  const cost = alphaBetaStepCost(options)
  const communication = communicationOf(options)
  const window = attentionWindowTokens(architecture)
  const batchOf = (sessions: number, contextTokens: number): StepBatch => {
    const microbatches = Math.min(layout.pp, sessions)
    const perMicrobatch = Math.ceil(sessions / microbatches)
    // Every new token sees itself.
    const context = Math.ceil(contextTokens / microbatches) + perMicrobatch
    return {
      ...emptyBatch(),
      decodeSequences: perMicrobatch,
      decodeContextTokens: context,
      decodeWindowTokens: window === undefined ? context : Math.min(context, perMicrobatch * window),
    }
  }
  return {
    cost,
    decodeSeconds: (sessions, contextTokens) => cost.seconds(batchOf(sessions, contextTokens)),
    prefillSeconds: (promptTokens, contextTokens) =>
      cost.seconds({
        ...emptyBatch(),
        chunkCount: 1,
        chunkTokens: [promptTokens],
        chunkContext: [contextTokens],
        chunkSamples: 1,
      }),
    decodeParts: (sessions, contextTokens) => {
      const batch = batchOf(sessions, contextTokens)
      const { weights, kv, compute } = cost.breakdown(batch)
      return { weights, kv, compute, ...communication(batch.decodeSequences) }
    },
  }
}
