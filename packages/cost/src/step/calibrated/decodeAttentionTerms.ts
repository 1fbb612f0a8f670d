import { peakFor } from '../../calibration/kernels/peaks.ts'
import { powerSum } from '../../calibration/powerSum.ts'
import type { AttentionWork } from '../attentionWork.ts'
import { storedBytes } from '../dtypes.ts'
import type { ShardedLayers } from '../shardedModel.ts'
import type { DecodeAttention, StepTerms } from '../stepTerms.ts'
import type { CalibratedInput } from './calibratedInput.ts'
import { kernelFor } from './kernelFor.ts'
import { RECURRENT } from './recurrentFigures.ts'

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
  const { peaks, serving } = input.parameters
  // Seen on 16-bit caches; the kernels for 8-bit caches keep their pace on uneven contexts.
  const unevenContexts = storedBytes[input.dtypes.keyValues] === 2 ? serving.unevenContexts : 1
  for (const group of input.model.groups) {
    if (group.attention !== undefined) parts.push(decodePart(input, group, group.attention))
    const { attention } = group.shape
    if (attention.kind === 'latent' && attention.compressedCache !== undefined)
      input.note('attention over a compressed cache: not measured, that of plain latent attention')
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
    const uneven = sequences > 1 ? unevenContexts : 1
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
