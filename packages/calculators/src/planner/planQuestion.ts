import type { AlphaBetaNetwork } from '@windtunnel/cost/deployment/alphaBetaStepCost'
import { type StepDtypes, stepDtypesOf } from '@windtunnel/cost/step/dtypes'
import { type Accelerator, accelerator, nodeOf } from '@windtunnel/hardware'
import { type Architecture, model } from '@windtunnel/models'
import { InputError } from '../edge/inputError.ts'
import { MOST_TOKENS, type PlanInput } from './planFields.ts'

/** The question with names looked up. */
export interface PlanQuestion {
  readonly input: PlanInput
  readonly architecture: Architecture
  readonly accelerator: Accelerator
  readonly network: AlphaBetaNetwork
  readonly dtypes: StepDtypes
  readonly capacityBytes: number
  /** Cards that the power budget lets run, at most the budget of cards. */
  readonly usableCards: number
  readonly servers: number
}

/** Looks names up and fills in what follows from them. Throws InputError or UnknownName. */
export function planQuestion(input: PlanInput): PlanQuestion {
  if (input.arrivals !== 'together' && input.rate === undefined)
    throw InputError.at('rate', 'missing; sessions per second are needed unless all arrive together')
  if (input.sessions * input.output > MOST_TOKENS)
    throw InputError.at(
      'output',
      `expected at most ${MOST_TOKENS} tokens over all ${input.sessions} sessions; found ${input.sessions * input.output}`,
    )
  const architecture = model(input.model)
  const own = accelerator(input.card)
  const domainCards = input.domain ?? nodeOf(own.name)?.devices ?? input.cards
  const card = input.bandwidth === undefined ? own : { ...own, hbmBytesPerSecond: input.bandwidth }
  return {
    input,
    architecture,
    accelerator: card,
    network: networkOf(input, own, domainCards),
    dtypes: stepDtypesOf({ weights: input.weightsDtype, activations: 'bf16', keyValues: input.kvDtype }),
    capacityBytes: input.capacity ?? own.hbmBytes,
    ...poweredCards(input, domainCards),
  }
}

function networkOf(input: PlanInput, own: Accelerator, domainCards: number): AlphaBetaNetwork {
  const near = input.link ?? own.scaleUpBytesPerSecond
  if (near === undefined) throw InputError.at('link', `missing; no link between cards is known for ${own.name}, in B/s`)
  return {
    domainCards,
    near: { alphaSeconds: input.alpha, bytesPerSecond: near },
    far: { alphaSeconds: input.farAlpha, bytesPerSecond: input.farLink },
    allReduce: input.algorithm,
    farAllReduceSeconds: input.farAllreduce,
  }
}

/** (6-11): whole servers under the power budget. */
function poweredCards(input: PlanInput, perServer: number): { usableCards: number; servers: number } {
  const wanted = Math.ceil(input.cards / perServer)
  const powered = input.powerBudget === undefined ? wanted : Math.floor(input.powerBudget / input.serverPower)
  const servers = Math.min(wanted, powered)
  return { usableCards: Math.min(input.cards, servers * perServer), servers }
}
