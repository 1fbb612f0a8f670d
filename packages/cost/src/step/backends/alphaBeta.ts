import { CostInputError, requireCount, requireNonNegative, requirePositive } from '../../costInputError.ts'
import { type AlphaBetaNetwork, alphaBetaStepCostOf } from '../../deployment/alphaBetaStepCost.ts'
import { withResidentContext } from '../../deployment/residentContext.ts'
import { attentionWindowTokens } from '../attentionWindow.ts'
import type { StepCost } from '../stepCost.ts'
import type { StepCostInput } from '../stepCostInput.ts'

const WHERE = 'step cost backend alphaBeta'

/**
 * Datasheet peaks with collectives that take a time to start: (6-5) of the parallelism chapter. Throws CostInputError
 * without a network, with one that cannot be, and for a layout that spans domains without a far link.
 */
export function alphaBeta(input: StepCostInput): StepCost {
  const given = input.alphaBeta
  if (given === undefined) {
    const expected = '{ network: { domainCards, near: { alphaSeconds, bytesPerSecond }, far, allReduce } }'
    throw new CostInputError({ where: WHERE, quantity: 'alphaBeta', expected, found: undefined })
  }
  requireNetwork(given.network)
  const cost = alphaBetaStepCostOf(input, given.network)
  return given.residentContext ? withResidentContext(cost, attentionWindowTokens(input.architecture)) : cost
}

function requireNetwork({ domainCards, near, far, farAllReduceSeconds }: AlphaBetaNetwork): void {
  requireCount(WHERE, { domainCards })
  for (const link of far === undefined ? [near] : [near, far]) {
    requireNonNegative(WHERE, { alphaSeconds: link.alphaSeconds })
    requirePositive(WHERE, { bytesPerSecond: link.bytesPerSecond })
  }
  if (farAllReduceSeconds !== undefined) requireNonNegative(WHERE, { farAllReduceSeconds })
}
