import {
  cheapestFlops,
  criticalBatches,
  decodeSeconds,
  flopsPerDollar,
  freeBytes,
  fullMemoryStepSeconds,
  kvBytesPerSequence,
  kvBytesPerToken,
  kvEqualsMathTokens,
  largestBatch,
  maxTensorParallelism,
  minChipsForWeightLatency,
  prefillSeconds,
  requestRate,
  servingBytes,
  servingPoint,
  smallestSlice,
  tensorParallelVerdict,
  weightLoadSeconds,
} from '@windtunnel/cost'
import { type CaseInputs, testChapter } from './bookCases.ts'

/** Slices of v5e as the book writes them, the longer side first. */
const v5eSlices = ['1x1', '2x2', '4x2', '4x4', '8x4', '8x8', '16x8', '16x16']

const dtypes = ['bf16', 'int8', 'int4']

const smallestTopology = (i: CaseInputs) => {
  const rows = i.numbers('bytes_per_param').map((bytes, index) => {
    const paramBytes = i.number('params') * bytes
    const kvPerToken = i.number('kv_elems_per_token') * bytes
    const hbmBytesPerChip = i.number('hbm')
    const slice = smallestSlice({ bytes: paramBytes, hbmBytesPerChip, slices: v5eSlices })
    const memory = { chips: slice.sliceChips, hbmBytesPerChip, paramBytes }
    const batch = largestBatch({ ...memory, kvBytesPerSequence: kvPerToken * i.number('context') })
    return {
      [`${dtypes[index]}_param_bytes`]: paramBytes,
      [`${dtypes[index]}_kv_per_token`]: kvPerToken,
      [`${dtypes[index]}_min_chips`]: slice.exactChips,
      [`${dtypes[index]}_slice_chips`]: slice.sliceChips,
      [`${dtypes[index]}_free`]: freeBytes(memory).freeBytes,
      [`${dtypes[index]}_num_kv_8k`]: batch,
      [`${dtypes[index]}_num_kv`]: batch,
    }
  })
  return Object.assign({}, ...rows) as Record<string, number>
}

const pareto = (i: CaseInputs, batch: number, contextTokens: number) =>
  servingPoint({
    activatedParams: i.number('params'),
    // int8 weights: one byte a parameter.
    paramBytes: i.number('params'),
    kvBytesPerToken: i.number('kv_per_token'),
    chips: i.number('chips'),
    hbmBytesPerSecond: i.number('hbm_bw'),
    peakFlopsPerSecond: i.number('peak'),
    batch,
    contextTokens,
  })

testChapter(8, {
  'ch08-flops-per-dollar': (i) => {
    const names = ['h100', 'v5p', 'v5e']
    const prices = i.numbers('price')
    const offers = i.numbers('peak').map((peakFlopsPerSecond, index) => {
      const offer = { peakFlopsPerSecond, usdPerHour: prices[index]! }
      return { name: names[index]!, ...offer, ...flopsPerDollar(offer) }
    })
    const columns = offers.map((offer) => ({
      [offer.name]: offer.flopsPerUsd,
      [`${offer.name}_per_usd_hour`]: offer.flopsPerSecondPerUsdHour,
    }))
    return { ...(Object.assign({}, ...columns) as Record<string, number>), best: cheapestFlops(offers)?.name }
  },
  'ch08-kv-per-token': (i) => {
    // int8: one byte an element.
    const shape = { layers: i.number('L'), kvHeads: i.number('K'), headDim: i.number('H'), bytesPerElement: 1 }
    const perSequence = kvBytesPerSequence({ ...shape, contextTokens: i.number('seq') })
    const bytes = servingBytes({
      paramBytes: i.number('param_bytes'),
      kvBytesPerSequence: perSequence,
      batch: i.number('batch'),
    })
    return {
      per_token: kvBytesPerToken(shape),
      per_seq: perSequence,
      total: bytes.kvBytes,
      chips: smallestSlice({ bytes: bytes.totalBytes, hbmBytesPerChip: i.number('hbm') }).minChips,
    }
  },
  'ch08-bs32-memory': (i) => {
    const bytes = servingBytes({
      paramBytes: i.number('param_bytes'),
      kvBytesPerSequence: i.number('kv_per_token') * i.number('context'),
      batch: i.number('batch'),
    })
    const slice = smallestSlice({
      bytes: bytes.totalBytes,
      hbmBytesPerChip: i.number('hbm'),
      slices: v5eSlices,
    })
    return {
      kv: bytes.kvBytes,
      total: bytes.totalBytes,
      chips_exact: slice.exactChips,
      min_slice: slice.slice,
    }
  },
  'ch08-ici-limit-2axes': (i) => {
    const layer = { dFf: i.number('F'), axes: i.number('axes') }
    const latest = { ...layer, criticalIntensity: i.number('alpha') }
    const fits = (ways: number) => tensorParallelVerdict({ ...latest, ways }) === 'compute-bound'
    return {
      Y: maxTensorParallelism(latest),
      // The edition of February 2025 uses the alpha of v5p on v5e.
      Y_feb2025: maxTensorParallelism({ ...layer, criticalIntensity: 2550 }),
      '4x2_ok': fits(8),
      '4x8_ok': fits(32),
    }
  },
  'ch08-bcrit': (i) => {
    const found = criticalBatches({
      hbmBytesPerSecond: i.number('hbm_bw'),
      quantisations: [
        { name: 'bf16', weightBytes: 2, peakFlopsPerSecond: i.number('peak') },
        { name: 'int8w_bf16', weightBytes: 1, peakFlopsPerSecond: i.number('peak') },
        { name: 'int8', weightBytes: 1, peakFlopsPerSecond: i.number('peak_int8') },
      ],
    })
    return Object.fromEntries(found.map(({ name, criticalBatchTokens }) => [name, criticalBatchTokens]))
  },
  'ch08-min-topology': smallestTopology,
  'ch08-min-topology-feb2025-errors': smallestTopology,
  'ch08-full-hbm-step': (i) => {
    const stepSeconds = fullMemoryStepSeconds({
      hbmBytesPerChip: i.number('hbm'),
      hbmBytesPerSecond: i.number('hbm_bw'),
    })
    return {
      t_step: stepSeconds,
      t_decode: decodeSeconds({ stepSeconds, outputTokens: i.number('decode_len') }),
      t_int4_params: weightLoadSeconds(i.number('int4_bytes'), i.number('chips_int4'), i.number('hbm_bw')),
    }
  },
  'ch08-double-topology': (i) => {
    const chips = i.numbers('chips')
    const [bf16] = i.numbers('bytes_per_param')
    const memory = {
      chips: chips[0]!,
      // The chip of the sibling cases, v5e.
      hbmBytesPerChip: 16e9,
      paramBytes: i.number('params') * bf16!,
    }
    const rates = chips.map((count) =>
      requestRate({
        batch: i.number('book_batch'),
        stepSeconds: i.number('t_step'),
        outputTokens: i.number('decode_len'),
        chips: count,
      }),
    )
    return {
      bf16_free: freeBytes(memory).freeBytes,
      bf16_batch: largestBatch({
        ...memory,
        kvBytesPerSequence: i.number('kv_elems_per_token') * bf16! * i.number('context'),
      }),
      qps_total_b140: rates[0]?.requestsPerSecond,
      bf16_qps: rates[0]?.requestsPerSecondPerChip,
      int8_qps: rates[1]?.requestsPerSecondPerChip,
      int4_qps: rates[2]?.requestsPerSecondPerChip,
    }
  },
  'ch08-prefill-8192': (i) => ({
    t: prefillSeconds({
      activatedParams: i.number('params'),
      tokens: i.number('tokens'),
      chips: i.number('chips'),
      peakFlopsPerSecond: i.number('peak'),
      utilisation: i.number('mfu'),
    }),
  }),
  'ch08-pareto-points': (i) => {
    const wide = pareto(i, 120, 2048)
    return {
      t_b1_8k: pareto(i, 1, 8192).seconds,
      t_b120_2k: wide.seconds,
      tokens_per_ms_chip: wide.tokensPerMillisecondPerChip,
    }
  },
  'ch08-kv-vs-flops-crossover': (i) => ({
    S_crossover: kvEqualsMathTokens({
      activatedParams: i.number('params'),
      kvBytesPerToken: i.number('kv_per_token'),
      hbmBytesPerSecond: i.number('hbm_bw'),
      peakFlopsPerSecond: i.number('peak'),
    }),
  }),
  'ch08-max-batch-by-context': (i) =>
    Object.fromEntries(
      i.numbers('contexts').map((context) => [
        `b_${context}`,
        largestBatch({
          chips: i.number('chips'),
          hbmBytesPerChip: i.number('hbm'),
          paramBytes: i.number('params'),
          kvBytesPerSequence: i.number('kv_per_token') * context,
        }),
      ]),
    ),
  'ch08-q3-405b-15ms': (i) => ({
    kv_per_token: kvBytesPerToken({
      layers: i.number('L'),
      kvHeads: i.number('K'),
      headDim: i.number('H'),
      bytesPerElement: 1,
    }),
    chips_memory: smallestSlice({ bytes: i.number('params'), hbmBytesPerChip: i.number('hbm') }).minChips,
    chips_latency: minChipsForWeightLatency({
      paramBytes: i.number('params'),
      hbmBytesPerSecond: i.number('hbm_bw'),
      limitSeconds: i.number('limit'),
    }),
    t_floor_64: weightLoadSeconds(i.number('params'), 64, i.number('hbm_bw')),
  }),
})
