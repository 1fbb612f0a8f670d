import { mathSeconds, moveSeconds } from '../rooflines/time.ts'
import { attentionPairs, tokensRead } from './attentionPairs.ts'
import { collectiveLink } from './collectiveLink.ts'
import { allToAllSeconds, ringAllReduceSeconds } from './collectiveSeconds.ts'
import {
  expertMatmulDtypeOf,
  expertWeightsOf,
  matmulDtypeOf,
  matmulFlopsPerSecond,
  storedBytes,
  TRAVELLING_ACTIVATION_BYTES,
} from './dtypes.ts'
import { expertsTouched } from './expertsTouched.ts'
import { allReducesPerLayer, gemmsOf, type ShardedModel, shardModel } from './shardedModel.ts'
import type { StepBatch, StepBreakdown } from './stepCost.ts'
import type { StepCostInput } from './stepCostInput.ts'
import type { DecodeAttention, StepTerms } from './stepTerms.ts'

/**
 * A step at datasheet peaks: none can be shorter, unless collectives overlap.
 *
 * Matmuls take `max(FLOPs / peak, weight bytes / HBM bandwidth)`, decode attention reads its KV on top of that, prefill
 * attention takes its own maximum (How To Scale Your Model, chapter 7, the general theoretical step time). Collectives run
 * at link bandwidth and are added.
 */
export function rooflineTerms(input: StepCostInput): StepTerms {
  const model = shardModel(input.architecture, input.layout, input.dtypes)
  return {
    sequenceParallelRanks: input.layout.sp,
    addTokens: tokenTerms(input, model),
    addSamples: headTerms(input, model),
    decodeAttention: decodeTerms(input, model),
    addPrefillAttention: prefillTerms(input, model),
    floorSeconds: () => 0,
    hostSeconds: () => 0,
  }
}

function addMaximum(
  flopsSeconds: number,
  bytesSeconds: number,
  into: StepBreakdown,
  bytesPart: 'weights' | 'kv',
): void {
  if (flopsSeconds > bytesSeconds) into.compute += flopsSeconds
  else into[bytesPart] += bytesSeconds
}

function tokenTerms(input: StepCostInput, model: ShardedModel): StepTerms['addTokens'] {
  const { accelerator, layout, dtypes } = input
  const peak = matmulFlopsPerSecond(accelerator, matmulDtypeOf(dtypes))
  const weightBytes = storedBytes[dtypes.weights]
  const expertPeak = matmulFlopsPerSecond(accelerator, expertMatmulDtypeOf(dtypes))
  const expertBytes = storedBytes[expertWeightsOf(dtypes)]
  let denseWeights = 0
  let recurrentFlops = 0
  for (const group of model.groups) {
    for (const gemm of gemmsOf(group)) denseWeights += group.count * gemm.outputs * gemm.inputs
    recurrentFlops += group.count * (group.recurrent?.flopsPerToken ?? 0)
  }
  const addCollectives = collectiveTerms(input, model)
  return (tokens, into) => {
    const rankTokens = Math.ceil(tokens / layout.dp)
    const flops = rankTokens * (2 * denseWeights + recurrentFlops)
    let expertFlops = 0
    let bytes = denseWeights * weightBytes
    for (const { count, experts } of model.groups) {
      if (experts === undefined) continue
      const expertWeights =
        (experts.matrices * experts.hiddenSize * experts.intermediateSize) / experts.expertParallelRanks
      expertFlops += count * 2 * tokens * experts.expertsPerToken * expertWeights
      const touched = expertsTouched(experts.experts, experts.expertsPerToken, tokens)
      bytes += count * touched * expertWeights * expertBytes
    }
    const math = mathSeconds(flops, peak) + (expertFlops > 0 ? mathSeconds(expertFlops, expertPeak) : 0)
    addMaximum(math, moveSeconds(bytes, accelerator.hbmBytesPerSecond), into, 'weights')
    addCollectives(tokens, rankTokens, into)
  }
}

type AddCollectives = (tokens: number, rankTokens: number, into: StepBreakdown) => void

function collectiveTerms(input: StepCostInput, model: ShardedModel): AddCollectives {
  const { accelerator, layout, scaleUpDomain } = input
  const expertRanks = layout.tp * layout.dp
  const tensorLink = collectiveLink(accelerator, layout.tp, scaleUpDomain)
  const expertLink = collectiveLink(accelerator, expertRanks, scaleUpDomain)
  const stageLink = collectiveLink(accelerator, layout.pp === 1 ? 1 : expertRanks * layout.pp, scaleUpDomain)
  let visits = 0
  let allReduces = 0
  for (const group of model.groups) {
    allReduces += group.count * allReducesPerLayer(group, layout)
    if (group.experts !== undefined && layout.dp > 1) visits += group.count * group.experts.expertsPerToken
  }
  const tokenBytes = input.architecture.hiddenSize * TRAVELLING_ACTIVATION_BYTES
  return (tokens, rankTokens, into) => {
    const reducedBytes = rankTokens * tokenBytes
    into.collectives += allReduces * ringAllReduceSeconds(tensorLink, reducedBytes, layout.tp)
    const dispatchedBytes = (tokens / expertRanks) * visits * tokenBytes
    if (visits > 0) into.collectives += 2 * allToAllSeconds(expertLink, dispatchedBytes, expertRanks)
    if (layout.pp > 1) into.collectives += moveSeconds((layout.pp - 1) * reducedBytes, stageLink.bytesPerSecond)
  }
}

function headTerms(input: StepCostInput, model: ShardedModel): StepTerms['addSamples'] {
  const { accelerator, layout } = input
  const elements = model.head.outputs * model.head.inputs
  const bytesSeconds = moveSeconds(elements * storedBytes.bf16, accelerator.hbmBytesPerSecond)
  const flopsSecondsPerSample = mathSeconds(2 * elements, matmulFlopsPerSecond(accelerator, 'bf16'))
  return (samples, into) => {
    addMaximum(Math.ceil(samples / layout.dp) * flopsSecondsPerSample, bytesSeconds, into, 'weights')
  }
}

function decodeTerms(input: StepCostInput, model: ShardedModel): StepTerms['decodeAttention'] {
  const { accelerator, layout } = input
  const ranks = layout.dp * layout.sp
  const bandwidth = accelerator.hbmBytesPerSecond
  const peak = matmulFlopsPerSecond(accelerator, 'bf16')
  let slopeSeconds = 0
  let windowSlopeSeconds = 0
  let secondsPerSequence = 0
  for (const { count, attention, recurrent } of model.groups) {
    if (attention !== undefined) {
      const flopsSeconds = mathSeconds(attention.decodeFlopsPerPair, peak)
      const contextSeconds = moveSeconds(attention.contextBytesPerToken, bandwidth)
      const windowSeconds = moveSeconds(attention.windowBytesPerToken, bandwidth)
      if (attention.windowTokens === undefined) slopeSeconds += (count * Math.max(contextSeconds, flopsSeconds)) / ranks
      else {
        slopeSeconds += (count * contextSeconds) / ranks
        windowSlopeSeconds += (count * Math.max(windowSeconds, flopsSeconds)) / ranks
      }
    }
    if (recurrent !== undefined)
      secondsPerSequence += moveSeconds(2 * count * recurrent.stateBytesPerSequence, bandwidth) / layout.dp
  }
  const written: DecodeAttention = {
    baseSeconds: 0,
    slopeSeconds,
    windowSlopeSeconds,
    thresholdContextTokens: Number.POSITIVE_INFINITY,
    beyondSeconds: 0,
  }
  return (sequences) => {
    written.baseSeconds = sequences * secondsPerSequence
    return written
  }
}

function prefillTerms(input: StepCostInput, model: ShardedModel): StepTerms['addPrefillAttention'] {
  const { accelerator, layout } = input
  const ranks = layout.dp * layout.sp
  const ringLink = collectiveLink(accelerator, layout.sp, input.scaleUpDomain)
  const peak = matmulFlopsPerSecond(accelerator, 'bf16')
  return (batch: StepBatch, _alongDecode, into) => {
    let flops = 0
    let bytes = 0
    for (const { count, attention, recurrent } of model.groups) {
      if (recurrent !== undefined) bytes += 2 * count * batch.chunkCount * recurrent.stateBytesPerSequence
      if (attention === undefined) continue
      let pairs = 0
      let read = 0
      let computed = 0
      for (let i = 0; i < batch.chunkCount; i++) {
        const tokens = batch.chunkTokens[i]!
        const context = batch.chunkContext[i]!
        pairs += attentionPairs(tokens, context, attention.windowTokens)
        read += tokensRead(tokens, context, attention.windowTokens)
        computed += tokens
      }
      flops += count * pairs * attention.prefillFlopsPerPair
      bytes += count * (read * attention.windowBytesPerToken + computed * attention.queryBytesPerToken)
      const ringBytes = (count * read * attention.windowBytesPerToken) / layout.dp
      into.collectives += allToAllSeconds(ringLink, ringBytes, layout.sp)
    }
    const moved = moveSeconds(bytes, accelerator.hbmBytesPerSecond)
    addMaximum(mathSeconds(flops, peak) / ranks, moved / ranks, into, 'kv')
  }
}
