import type { Accelerator } from '@windtunnel/hardware'
import type { Architecture } from '@windtunnel/models'
import { type AllReduceModel, type AlphaBetaLink, allReduceSeconds } from '../collectives/alphaBetaAllReduce.ts'
import { CostInputError } from '../costInputError.ts'
import { type StepDtypes, stepDtypesOf, TRAVELLING_ACTIVATION_BYTES } from '../step/dtypes.ts'
import { DEFAULT_ENGINE } from '../step/engineOverheads/index.ts'
import { acceleratorsOf, layoutOf, type ReplicaLayout, requireLayoutFor } from '../step/layout.ts'
import { OperatorStepCost } from '../step/operatorStepCost.ts'
import { rooflineTerms } from '../step/rooflineTerms.ts'
import { allReducesPerLayer, type ShardedModel, shardModel } from '../step/shardedModel.ts'
import { withSixteenBitPeak } from '../step/sixteenBitPeak.ts'
import type { StepCost } from '../step/stepCost.ts'
import type { StepCostInput } from '../step/stepCostInput.ts'
import { emptyBreakdown, type StepTerms } from '../step/stepTerms.ts'

/** Links between the cards of a deployment: near within a domain (a server, a rack), far between domains. */
export interface AlphaBetaNetwork {
  /** Cards that reach each other over the near link. */
  readonly domainCards: number
  readonly near: AlphaBetaLink
  /** Share of one card; undefined where there is one domain only. */
  readonly far: AlphaBetaLink | undefined
  /** How a domain adds up; a tree needs a power of two cards. */
  readonly allReduce: 'ring' | 'tree'
  /** Measured time of one AllReduce across domains, in place of a ring of far links. */
  readonly farAllReduceSeconds?: number | undefined
}

/** What a step cost with starting times is made from. */
export interface AlphaBetaStepOptions {
  readonly architecture: Architecture
  readonly accelerator: Accelerator
  readonly layout?: Partial<ReplicaLayout> | undefined
  readonly dtypes?: Partial<StepDtypes> | undefined
  readonly network: AlphaBetaNetwork
}

/** Communication of a step, in seconds. */
export interface CommunicationParts {
  /** AllReduces over tensor ranks. */
  readonly reductions: number
  /** Dispatch to experts and back. */
  readonly exchanges: number
  /** From stage to stage. */
  readonly handOffs: number
  /** Merging attention over context ranks. */
  readonly merges: number
}

/** Communication of a step by its tokens. */
export type Communication = (tokens: number) => CommunicationParts

/**
 * The roofline step with communication in the alpha-beta model: `max(FLOPs/P, W/B) + KV/B`, and every collective with its
 * start-up time. Of a dense model decoding one session it is (6-5) of the parallelism chapter.
 * @throws CostInputError for a layout into which the model cannot be cut, or that spans domains without a far link
 */
export const alphaBetaStepCost = (options: AlphaBetaStepOptions): StepCost =>
  alphaBetaStepCostOf(inputOf(options), options.network)

/**
 * The same from what every backend is built from. Bandwidths between cards come from `network`; the accelerator's own are
 * not asked for.
 */
export function alphaBetaStepCostOf(input: StepCostInput, network: AlphaBetaNetwork): StepCost {
  const local = rooflineTerms({ ...input, scaleUpDomain: Number.POSITIVE_INFINITY })
  const { architecture, accelerator, layout, dtypes } = input
  const communication = communicationOf({ architecture, accelerator, layout, dtypes, network })
  const terms: StepTerms = {
    ...local,
    addTokens: (tokens, into) => {
      const parts = emptyBreakdown()
      local.addTokens(tokens, parts)
      into.weights += parts.weights
      into.compute += parts.compute
      const found = communication(tokens)
      into.collectives += found.reductions + found.exchanges + found.handOffs + found.merges
    },
  }
  return new OperatorStepCost('alpha-beta', terms, input.extrapolations)
}

/** The communication of that step on its own, by kind. */
export function communicationOf(options: AlphaBetaStepOptions): Communication {
  const layout = layoutOf(options.layout)
  requireLayoutFor(options.architecture, layout)
  const model = shardModel(options.architecture, layout, stepDtypesOf(options.dtypes))
  const { network } = options
  const tokenBytes = options.architecture.hiddenSize * TRAVELLING_ACTIVATION_BYTES
  const counts = countsOf(model, layout)
  const expertRanks = layout.tp * layout.dp
  const replica = acceleratorsOf(layout)
  return (tokens) => {
    const rankTokens = Math.ceil(tokens / layout.dp)
    const payload = rankTokens * tokenBytes
    const sent = (tokens / expertRanks) * counts.visits * tokenBytes
    return {
      reductions: counts.allReduces * allReduceSeconds(reduceModel(network, layout.tp, payload), layout.tp),
      exchanges: counts.exchanges * exchangeSeconds(network, expertRanks, sent),
      handOffs: layout.pp === 1 ? 0 : (layout.pp - 1) * messageSeconds(linkFor(network, replica), payload),
      merges: counts.merges.reduce(
        (sum, { count, bytesPerToken }) =>
          sum + count * allReduceSeconds(reduceModel(network, layout.sp, rankTokens * bytesPerToken), layout.sp),
        0,
      ),
    }
  }
}

function inputOf(options: AlphaBetaStepOptions): StepCostInput {
  const layout = layoutOf(options.layout)
  requireLayoutFor(options.architecture, layout)
  const { accelerator, extrapolations } = withSixteenBitPeak(options.accelerator)
  return {
    architecture: options.architecture,
    accelerator,
    extrapolations,
    scaleUpDomain: Number.POSITIVE_INFINITY,
    layout,
    dtypes: stepDtypesOf(options.dtypes),
    routingSkew: 0,
    engine: DEFAULT_ENGINE,
    maxSequences: 1,
    filteredSampling: false,
    stepOverheads: undefined,
    kernelParameters: undefined,
    coefficients: undefined,
    measuredSteps: undefined,
    alphaBeta: undefined,
  }
}

/** Bytes of a merge for each head and token: the weighted values, the largest score and the sum, in 4 bytes each. */
const MERGED_BYTES = 4

function countsOf(model: ShardedModel, layout: ReplicaLayout) {
  const counts = { allReduces: 0, exchanges: 0, visits: 0, merges: [] as { count: number; bytesPerToken: number }[] }
  for (const group of model.groups) {
    counts.allReduces += group.count * allReducesPerLayer(group, layout)
    if (group.experts !== undefined && layout.dp > 1) {
      counts.exchanges += 2 * group.count
      counts.visits = group.experts.expertsPerToken
    }
    if (group.attention === undefined || layout.sp === 1) continue
    const heads = group.shape.queryHeads / layout.tp
    counts.merges.push({ count: group.count, bytesPerToken: heads * (group.shape.valueHeadDim + 2) * MERGED_BYTES })
  }
  return counts
}

const messageSeconds = (link: AlphaBetaLink, bytes: number): number => link.alphaSeconds + bytes / link.bytesPerSecond

function linkFor(network: AlphaBetaNetwork, cards: number): AlphaBetaLink {
  if (cards <= network.domainCards) return network.near
  if (network.far !== undefined) return network.far
  const expected = `at most the ${network.domainCards} of one domain, as there is no link between domains`
  throw new CostInputError({ where: 'network', quantity: 'cards that talk to each other', expected, found: cards })
}

function reduceModel(network: AlphaBetaNetwork, cards: number, bytes: number): AllReduceModel {
  if (cards <= network.domainCards) return { kind: network.allReduce, bytes, link: network.near }
  const seconds = network.farAllReduceSeconds
  if (seconds !== undefined) return { kind: 'measured', seconds }
  return { kind: 'ring', bytes, link: linkFor(network, cards) }
}

/** Of what a card sends to experts on `cards`, what leaves it stays near; across domains what leaves its domain counts. */
function exchangeSeconds(network: AlphaBetaNetwork, cards: number, bytes: number): number {
  if (cards === 1) return 0
  const staying = cards <= network.domainCards ? 1 : network.domainCards
  return messageSeconds(linkFor(network, cards), bytes * (1 - staying / cards))
}
