import { peakFor } from '../../calibration/kernels/peaks.ts'
import { headSizeFactor, tiledFlops } from '../../calibration/kernels/prefillAttention.ts'
import { powerSum } from '../../calibration/powerSum.ts'
import { attentionPairs, tokensRead } from '../attentionPairs.ts'
import { collectiveLink } from '../collectiveLink.ts'
import { allToAllSeconds } from '../collectiveSeconds.ts'
import type { AttentionWork, ShardedLayers } from '../shardedModel.ts'
import type { StepBatch, StepBreakdown } from '../stepCost.ts'
import type { DecodeAttention, StepTerms } from '../stepTerms.ts'
import type { CalibratedInput } from './calibratedInput.ts'
import { kernelFor } from './kernelFor.ts'

/** Launch of a recurrent mixer's kernels, and the share of bandwidth and of FLOP/s they reach: assumed, not measured. */
const RECURRENT = { fixedSeconds: 1.5e-5, memoryEfficiency: 0.7, computeEfficiency: 0.2 }

/** Decode attention of one group as a function of sequences, context and window sums. */
interface DecodePart {
  fixedSeconds: number
  secondsPerSequence: number
  slopeSeconds: number
  windowSlopeSeconds: number
  coldSeconds: number
  /** Bytes of one layer's launch: of each sequence, and of each token of its sum. */
  bytesPerSequence: number
  bytesPerToken: number
  windowTokens: number | undefined
}

function decodePart(input: CalibratedInput, group: ShardedLayers, work: AttentionWork): DecodePart {
  const { parameters, dtypes, layout } = input
  const { peaks } = parameters
  const isLatent = work.kind === 'latent'
  const grouped = kernelFor('decode attention', parameters.decodeAttention, dtypes.keyValues, input.note).parameters
  const latent = isLatent
    ? kernelFor('latent decode attention', parameters.latentDecode, dtypes.keyValues, input.note).parameters
    : undefined
  const bandwidth = peaks.hbmBytesPerSecond * (latent?.memoryEfficiency ?? grouped.memoryEfficiency)
  const seen = (bytesPerToken: number): number => {
    if (latent === undefined) return bytesPerToken / bandwidth
    const compute = work.decodeFlopsPerPair / peakFor(peaks, 'bf16') / latent.computeEfficiency
    return powerSum(latent.norm, compute, bytesPerToken / bandwidth)
  }
  const windowed = work.windowTokens !== undefined
  const ranks = layout.dp * layout.sp
  return {
    fixedSeconds: group.count * (latent?.fixedSeconds ?? grouped.fixedSeconds),
    secondsPerSequence: (group.count * work.queryBytesPerToken) / bandwidth / layout.dp,
    slopeSeconds:
      (group.count * (windowed ? work.contextBytesPerToken / bandwidth : seen(work.windowBytesPerToken))) / ranks,
    windowSlopeSeconds: windowed ? (group.count * seen(work.windowBytesPerToken)) / ranks : 0,
    coldSeconds: isLatent ? 0 : group.count * grouped.coldSeconds,
    bytesPerSequence: work.queryBytesPerToken / layout.dp,
    bytesPerToken: work.windowBytesPerToken / ranks,
    windowTokens: work.windowTokens,
  }
}

/**
 * Decode attention of a step. It stays affine in the context sum up to where the KV of a layer outgrows the L2 cache; for
 * windowed layers that is decided from full windows, so that it depends on the number of sequences alone.
 */
export function decodeAttentionTerms(input: CalibratedInput): StepTerms['decodeAttention'] {
  const parts: DecodePart[] = []
  let recurrentFixed = 0
  let recurrentPerSequence = 0
  const { peaks } = input.parameters
  for (const group of input.model.groups) {
    if (group.attention !== undefined) parts.push(decodePart(input, group, group.attention))
    if (group.recurrent === undefined) continue
    const bandwidth = peaks.hbmBytesPerSecond * RECURRENT.memoryEfficiency
    recurrentFixed += group.count * RECURRENT.fixedSeconds
    recurrentPerSequence += (2 * group.count * group.recurrent.stateBytesPerSequence) / bandwidth / input.layout.dp
    input.note('recurrent layers: not measured, 15 us a layer and 70 % of bandwidth for their state')
  }
  const written: DecodeAttention = {
    baseSeconds: 0,
    slopeSeconds: 0,
    windowSlopeSeconds: 0,
    thresholdContextTokens: Number.POSITIVE_INFINITY,
    beyondSeconds: 0,
  }
  return (sequences) => {
    const uneven = sequences > 1 ? input.parameters.serving.unevenContexts : 1
    written.slopeSeconds = 0
    written.windowSlopeSeconds = 0
    written.baseSeconds = recurrentFixed + sequences * recurrentPerSequence
    written.thresholdContextTokens = Number.POSITIVE_INFINITY
    written.beyondSeconds = 0
    for (const part of parts) addPart(part, sequences, uneven, peaks.l2Bytes, written)
    return written
  }
}

function addPart(part: DecodePart, sequences: number, uneven: number, l2Bytes: number, into: DecodeAttention): void {
  into.slopeSeconds += uneven * part.slopeSeconds
  into.windowSlopeSeconds += uneven * part.windowSlopeSeconds
  into.baseSeconds += part.fixedSeconds + sequences * part.secondsPerSequence
  const left = l2Bytes - sequences * part.bytesPerSequence
  if (part.windowTokens !== undefined) {
    if (sequences * part.windowTokens * part.bytesPerToken > left) into.baseSeconds += part.coldSeconds
    return
  }
  if (part.coldSeconds === 0) return
  const threshold = Math.max(0, Math.floor(left / part.bytesPerToken))
  into.thresholdContextTokens = Math.min(into.thresholdContextTokens, threshold)
  into.beyondSeconds += part.coldSeconds
}

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
