import { collectiveLink } from '../collectiveLink.ts'
import { matmulDtypeOf } from '../dtypes.ts'
import type { LaunchFloor } from '../engineOverheads/index.ts'
import { gemmsOf } from '../shardedModel.ts'
import type { StepTerms } from '../stepTerms.ts'
import type { CalibratedInput } from './calibratedInput.ts'
import { collectiveAdder } from './collectiveTerms.ts'
import { decodeAttentionTerms } from './decodeAttentionTerms.ts'
import { paddedTokens } from './graphSizes.ts'
import { elementwiseAdder, expertAdder, gemmAdder } from './matmulTerms.ts'
import { prefillAttentionTerms } from './prefillAttentionTerms.ts'

/** Gathering the logits of tensor ranks: a launch, then half of the link. */
const GATHER = { fixedSeconds: 1e-5, linkShare: 0.5 }

const LOGIT_BYTES = 2

/**
 * A step as the sum of measured operators: matrix multiplications, experts, elementwise passes and collectives by the
 * number of tokens (padded to a captured graph size), attention by context, output head and sampling by samples, and
 * what the engine's host adds.
 */
export function calibratedTerms(input: CalibratedInput): StepTerms {
  const { overheads, layout } = input
  const { step } = overheads
  const largestGraph = Math.min(step.largestGraphTokens, 2 * input.maxSequences)
  const floor = launchFloor(input)
  let expertLayers = 0
  for (const group of input.model.groups) if (group.experts !== undefined) expertLayers += group.count
  const { perStepSeconds, perSequenceSeconds, prefillStepSeconds } = step
  const routingSeconds = expertLayers * step.expertRouting.perLayerSeconds
  const mixedSeconds = step.mixedStepSeconds + expertLayers * step.expertRouting.mixedPerLayerSeconds
  const capturedSeconds = input.model.layerCount * floor.capturedSecondsPerLayer
  const eagerSeconds = input.model.layerCount * floor.eagerSecondsPerLayer
  const { dp } = layout
  return {
    sequenceParallelRanks: layout.sp,
    addTokens: tokenTerms(input, largestGraph),
    addSamples: sampleTerms(input),
    decodeAttention: decodeAttentionTerms(input),
    addPrefillAttention: prefillAttentionTerms(input),
    floorSeconds: (tokens) => (Math.ceil(tokens / dp) <= largestGraph ? capturedSeconds : eagerSeconds),
    hostSeconds: (samples, hasPrefill, hasDecode) =>
      perStepSeconds +
      samples * perSequenceSeconds +
      routingSeconds +
      (hasPrefill ? prefillStepSeconds + (hasDecode ? mixedSeconds : 0) : 0),
  }
}

const noFloor: LaunchFloor = { capturedSecondsPerLayer: 0, eagerSecondsPerLayer: 0 }

/** TPUs run whole compiled programs: nothing is launched layer by layer. */
function launchFloor(input: CalibratedInput): LaunchFloor {
  if (input.accelerator.kind === 'tpu') return noFloor
  const { launchFloor: floors } = input.overheads.step
  if (input.model.groups.some((group) => group.recurrent !== undefined)) return floors.recurrent
  return input.model.groups.some((group) => group.experts !== undefined) ? floors.experts : floors.dense
}

function tokenTerms(input: CalibratedInput, largestGraph: number): StepTerms['addTokens'] {
  const { model, layout, dtypes } = input
  const addGemm = gemmAdder(input, dtypes.weights, matmulDtypeOf(dtypes))
  const addCollectives = collectiveAdder(input)
  const groups = model.groups.map((group) => ({
    count: group.count,
    gemms: gemmsOf(group).filter((gemm) => !group.routerGemms.includes(gemm)),
    addExperts: expertAdder(input, group),
    addElementwise: elementwiseAdder(input, group),
  }))
  return (tokens, into) => {
    const rankTokens = paddedTokens(Math.ceil(tokens / layout.dp), largestGraph)
    for (const { count, gemms, addExperts, addElementwise } of groups) {
      for (const gemm of gemms) addGemm(gemm, rankTokens, count, into)
      addExperts?.(rankTokens * layout.dp, into)
      addElementwise(rankTokens, into)
    }
    addCollectives(rankTokens * layout.dp, rankTokens, into)
  }
}

function sampleTerms(input: CalibratedInput): StepTerms['addSamples'] {
  const { model, layout, architecture, overheads } = input
  const addGemm = gemmAdder(input, 'bf16', 'bf16')
  const link = collectiveLink(input.accelerator, layout.tp, input.scaleUpDomain)
  const gatherSecondsPerSample = (architecture.vocabSize * LOGIT_BYTES) / (GATHER.linkShare * link.bytesPerSecond)
  const samplingSeconds = input.filteredSampling
    ? (overheads.step.samplingSecondsPer100kEntries * architecture.vocabSize) / 1e5
    : 0
  return (samples, into) => {
    const rankSamples = Math.ceil(samples / layout.dp)
    addGemm(model.head, rankSamples, 1, into)
    into.compute += rankSamples * samplingSeconds
    if (layout.tp > 1) into.collectives += GATHER.fixedSeconds + rankSamples * gatherSecondsPerSample
  }
}
