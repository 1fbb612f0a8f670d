import { peakFor } from '../../calibration/kernels/peaks.ts'
import { headSizeFactor, tiledFlops } from '../../calibration/kernels/prefillAttention.ts'
import { powerSum } from '../../calibration/powerSum.ts'
import { attentionPairs, tokensRead } from '../attentionPairs.ts'
import type { AttentionWork } from '../attentionWork.ts'
import { collectiveLink } from '../collectiveLink.ts'
import { allToAllSeconds } from '../collectiveSeconds.ts'
import type { ShardedLayers } from '../shardedModel.ts'
import type { StepBatch, StepBreakdown } from '../stepCost.ts'
import type { StepTerms } from '../stepTerms.ts'
import type { CalibratedInput } from './calibratedInput.ts'
import { kernelFor } from './kernelFor.ts'
import { RECURRENT } from './recurrentFigures.ts'

type AddChunks = (batch: StepBatch, alongDecode: boolean, into: StepBreakdown) => void

/** Attention of prompt chunks: one launch a layer for all chunks, which decode attention shares in a mixed step. */
export function prefillAttentionTerms(input: CalibratedInput): StepTerms['addPrefillAttention'] {
  const adders: AddChunks[] = []
  for (const group of input.model.groups) {
    if (group.attention?.kind === 'grouped') adders.push(groupedChunks(input, group, group.attention))
    if (group.attention?.kind === 'latent') adders.push(latentChunks(input, group, group.attention))
    if (group.recurrent !== undefined) adders.push(recurrentChunks(input, group))
  }
  return (batch, alongDecode, into) => {
    for (const add of adders) add(batch, alongDecode, into)
  }
}

function groupedChunks(input: CalibratedInput, group: ShardedLayers, work: AttentionWork): AddChunks {
  const { parameters, dtypes, layout } = input
  const { peaks } = parameters
  const figures = kernelFor('prefill attention', parameters.prefillAttention, dtypes.keyValues, input.note).parameters
  const factor = (headSizeFactor(figures, group.shape.headDim) * layout.dp * layout.sp) / group.count
  const secondsPerFlop = 1 / peakFor(peaks, 'bf16') / figures.computeEfficiency / factor
  const secondsPerByte = 1 / peaks.hbmBytesPerSecond / figures.memoryEfficiency / factor
  const fixedSeconds = group.count * figures.fixedSeconds
  const addRing = ringAdder(input, group, work)
  return (batch, alongDecode, into) => {
    let flops = 0
    let read = 0
    let computed = 0
    for (let i = 0; i < batch.chunkCount; i++) {
      const tokens = batch.chunkTokens[i]!
      const context = batch.chunkContext[i]!
      const pairs = attentionPairs(tokens, context, work.windowTokens)
      flops += tiledFlops(figures, pairs * work.prefillFlopsPerPair, tokens)
      read += tokensRead(tokens, context, work.windowTokens)
      computed += tokens
    }
    into.compute += flops * secondsPerFlop + (alongDecode ? 0 : fixedSeconds)
    into.kv += (read * work.windowBytesPerToken + computed * work.queryBytesPerToken) * secondsPerByte
    addRing(read, into)
  }
}

function latentChunks(input: CalibratedInput, group: ShardedLayers, work: AttentionWork): AddChunks {
  const { parameters, dtypes, layout } = input
  const { peaks } = parameters
  const figures = kernelFor(
    'latent prefill attention',
    parameters.latentPrefill,
    dtypes.keyValues,
    input.note,
  ).parameters
  const share = group.count / layout.dp / layout.sp
  const secondsPerFlop = 1 / peakFor(peaks, 'bf16') / figures.computeEfficiency
  const secondsPerByte = 1 / peaks.hbmBytesPerSecond / figures.memoryEfficiency
  const queryBytes = work.prefillFlopsPerPair
  const addRing = ringAdder(input, group, work)
  return (batch, alongDecode, into) => {
    let pairs = 0
    let read = 0
    let computed = 0
    for (let i = 0; i < batch.chunkCount; i++) {
      pairs += attentionPairs(batch.chunkTokens[i]!, batch.chunkContext[i]!, work.windowTokens)
      read += batch.chunkTokens[i]! + batch.chunkContext[i]!
      computed += batch.chunkTokens[i]!
    }
    const compute = pairs * work.prefillFlopsPerPair * secondsPerFlop
    const memory = read * work.windowBytesPerToken * secondsPerByte
    into.compute += share * (powerSum(figures.norm, compute, memory) + computed * queryBytes * secondsPerByte)
    if (!alongDecode) into.compute += group.count * figures.fixedSeconds
    addRing(read, into)
  }
}

function recurrentChunks(input: CalibratedInput, group: ShardedLayers): AddChunks {
  const { peaks } = input.parameters
  const work = group.recurrent!
  const share = group.count / input.layout.dp / input.layout.sp
  const secondsPerToken = (share * work.flopsPerToken) / peakFor(peaks, 'bf16') / RECURRENT.computeEfficiency
  const bandwidth = peaks.hbmBytesPerSecond * RECURRENT.memoryEfficiency
  const secondsPerChunk = (2 * share * work.stateBytesPerSequence) / bandwidth
  return (batch, alongDecode, into) => {
    for (let i = 0; i < batch.chunkCount; i++) into.compute += batch.chunkTokens[i]! * secondsPerToken
    into.kv += batch.chunkCount * secondsPerChunk
    if (!alongDecode) into.compute += group.count * RECURRENT.fixedSeconds
  }
}

/** KV that sequence-parallel ranks pass round for every rank's queries to see all of it. */
function ringAdder(input: CalibratedInput, group: ShardedLayers, work: AttentionWork) {
  const { layout } = input
  const link = collectiveLink(input.accelerator, layout.sp, input.scaleUpDomain)
  const bytesPerToken = (group.count * work.windowBytesPerToken) / layout.dp
  return (readTokens: number, into: StepBreakdown): void => {
    if (layout.sp > 1) into.collectives += allToAllSeconds(link, readTokens * bytesPerToken, layout.sp)
  }
}
