import { attentionPairs } from '../../step/attentionPairs.ts'
import type { StepDtype } from '../../step/dtypes.ts'
import { type Fit, type Form, fitForm } from '../fitting/fitForm.ts'
import type { KernelRow } from '../kernelRow.ts'
import { type DecodeAttentionParameters, decodeAttentionSeconds } from '../kernels/decodeAttention.ts'
import { type LatentAttentionParameters, latentAttentionSeconds } from '../kernels/latentAttention.ts'
import { bytesOf, type Peaks } from '../kernels/peaks.ts'
import {
  type PrefillAttentionParameters,
  prefillAttentionSeconds,
  SHORTEST_TILE_TOKENS,
  tiledFlops,
} from '../kernels/prefillAttention.ts'

/** Latent attention is measured in the sizes of DeepSeek V3: rank 512, rotary 64, plain 128, values 128. */
const LATENT = { rank: 512, rope: 64, plain: 128, value: 128 }

const share = (start: number) => ({ start, least: 0.02, most: 1.2 })
const fixedSeconds = { start: 1.2e-5, least: 1e-6, most: 5e-4 }

const keyValueBytes = ({ sizes }: KernelRow, dtype: StepDtype): number =>
  2 * sizes['batch']! * sizes['kv_len']! * sizes['kv_heads']! * sizes['head_dim']! * bytesOf(dtype)

const queryBytes = ({ sizes }: KernelRow): number =>
  4 * sizes['batch']! * sizes['q_len']! * sizes['heads']! * sizes['head_dim']!

const pairsOf = ({ sizes }: KernelRow): number =>
  sizes['batch']! * attentionPairs(sizes['q_len']!, sizes['kv_len']! - sizes['q_len']!, undefined)

export const decodeAttentionForm = (peaks: Peaks, dtype: StepDtype): Form<DecodeAttentionParameters, KernelRow> => ({
  fixed: {},
  ranges: {
    memoryEfficiency: share(0.9),
    fixedSeconds,
    coldSeconds: { start: 5e-6, least: 1e-9, most: 4e-5 },
  },
  seconds: (parameters, row) => decodeAttentionSeconds(parameters, peaks, keyValueBytes(row, dtype) + queryBytes(row)),
})

/** Rows like those of serving: up to 512 sequences, of 256 tokens or more. */
const isServingDecode = ({ sizes }: KernelRow): boolean => sizes['batch']! <= 512 && sizes['kv_len']! >= 256

export const isDecodeRow = (row: KernelRow): boolean => row.operation === 'attn_decode' && isServingDecode(row)

export const isLatentDecodeRow = (row: KernelRow): boolean => row.operation === 'mla_decode' && isServingDecode(row)

export const prefillAttentionForm = (peaks: Peaks, dtype: StepDtype): Form<PrefillAttentionParameters, KernelRow> => ({
  fixed: {},
  ranges: {
    computeEfficiency: share(0.6),
    memoryEfficiency: { start: 0.4, least: 0.02, most: 1.5 },
    fixedSeconds,
    halfEfficiencyTokens: { start: 60, least: 0.01, most: 2000 },
    headSizeExponent: { start: 0.3, least: 0.001, most: 1 },
  },
  seconds: (parameters, row) => {
    const { sizes } = row
    const flops = 4 * pairsOf(row) * sizes['heads']! * sizes['head_dim']!
    return prefillAttentionSeconds(parameters, peaks, {
      tiledFlops: tiledFlops(parameters, flops, sizes['q_len']!),
      bytes: keyValueBytes(row, dtype) + queryBytes(row),
      headSize: sizes['head_dim']!,
    })
  },
})

/** Chunks of 64 tokens or more: shorter ones are like decode, and rare. */
export const isPrefillRow = (row: KernelRow): boolean =>
  row.operation === 'attn_prefill' && row.sizes['q_len']! >= SHORTEST_TILE_TOKENS

export const isLatentPrefillRow = (row: KernelRow): boolean =>
  row.operation === 'mla_prefill' && row.sizes['q_len']! >= SHORTEST_TILE_TOKENS

/** The head size that nearly all served models have. */
const USUAL_HEAD_SIZE = 128

/**
 * Fits prefill attention in two turns: everything but the head size exponent on rows of the usual head size, then the
 * exponent alone on the others. Residuals are those of the first turn. One turn on all rows where the usual ones are few.
 */
export function fitPrefillAttention(
  peaks: Peaks,
  dtype: StepDtype,
  rows: readonly KernelRow[],
): Fit<PrefillAttentionParameters> {
  const form = prefillAttentionForm(peaks, dtype)
  const { headSizeExponent, ...ranges } = form.ranges
  const usual = rows.filter((row) => row.sizes['head_dim'] === USUAL_HEAD_SIZE)
  const others = rows.filter((row) => row.sizes['head_dim'] !== USUAL_HEAD_SIZE)
  if (usual.length < 24 || headSizeExponent === undefined) return fitForm(form, rows)
  const first = fitForm({ ...form, ranges, fixed: { headSizeExponent: headSizeExponent.start } }, usual)
  if (others.length === 0) return first
  const { parameters } = fitForm({ ...form, ranges: { headSizeExponent }, fixed: first.parameters }, others)
  return { ...first, parameters }
}

const latentRanges = {
  computeEfficiency: { start: 0.5, least: 0.02, most: 1.3 },
  memoryEfficiency: share(0.65),
  fixedSeconds,
  norm: { start: 3, least: 0.8, most: 8 },
}

export const latentDecodeForm = (peaks: Peaks, dtype: StepDtype): Form<LatentAttentionParameters, KernelRow> => ({
  fixed: {},
  ranges: latentRanges,
  seconds: (parameters, { sizes }) => {
    const seen = sizes['batch']! * sizes['kv_len']!
    const perPair = 2 * sizes['heads']! * (2 * LATENT.rank + LATENT.rope)
    return latentAttentionSeconds(parameters, peaks, {
      flops: seen * perPair,
      keyValueBytes: seen * (LATENT.rank + LATENT.rope) * bytesOf(dtype),
      queryBytes: sizes['batch']! * perPair,
    })
  },
})

export const latentPrefillForm = (peaks: Peaks, dtype: StepDtype): Form<LatentAttentionParameters, KernelRow> => ({
  fixed: {},
  ranges: latentRanges,
  seconds: (parameters, row) => {
    const { sizes } = row
    const headSizes = LATENT.plain + LATENT.rope + LATENT.value
    return latentAttentionSeconds(parameters, peaks, {
      flops: 2 * pairsOf(row) * sizes['heads']! * headSizes,
      keyValueBytes: sizes['batch']! * sizes['kv_len']! * (LATENT.rank + LATENT.rope) * bytesOf(dtype),
      queryBytes: 2 * sizes['batch']! * sizes['q_len']! * sizes['heads']! * headSizes,
    })
  },
})
