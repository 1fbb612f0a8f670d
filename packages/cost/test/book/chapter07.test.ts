import {
  activationBytes,
  criticalBatches,
  freeBytes,
  kvBytesPerSequence,
  kvBytesPerToken,
  kvSharding,
  largestBatch,
  largestListedBatch,
  memoryBoundStep,
  memoryBoundTensorParallelism,
  memoryToLinkRatio,
  mlpParams,
  prefillSharding,
  throughputSaturation,
  transformerParams,
  twoDimensionalMinChips,
  weightLoadSeconds,
  weightStationaryChoice,
} from '@windtunnel/cost'
import { bookCases, type CaseInputs, testChapter } from './bookCases.ts'

const quantisations = (i: CaseInputs) => {
  const found = criticalBatches({
    hbmBytesPerSecond: i.number('hbm_bw'),
    quantisations: [
      { name: 'bf16_bf16', weightBytes: 2, peakFlopsPerSecond: i.number('peak') },
      { name: 'int8w_bf16', weightBytes: 1, peakFlopsPerSecond: i.number('peak') },
      { name: 'int8_int8', weightBytes: 1, peakFlopsPerSecond: i.number('peak_int8') },
    ],
  })
  return Object.fromEntries(found.map(({ name, criticalBatchTokens }) => [name, criticalBatchTokens]))
}

const kvShape = (i: CaseInputs, bytesPerElement: number, kvHeads = i.number('K')) => ({
  layers: i.number('L'),
  kvHeads,
  headDim: i.number('H'),
  bytesPerElement,
})

/** A table of batch sizes: one column of figures each. */
const batchTable = (i: CaseInputs) => {
  const columns = i.numbers('batches').map((batch) => {
    const step = memoryBoundStep({
      batch,
      kvBytesPerSequence: i.number('kv_per_seq'),
      paramBytes: i.number('param_bytes'),
      chips: i.number('chips'),
      hbmBytesPerSecond: i.number('hbm_bw'),
    })
    return {
      [`total_gb_b${batch}`]: step.totalBytes / 1e9,
      [`t_step_b${batch}`]: step.seconds,
      [`throughput_b${batch}`]: step.tokensPerSecond,
    }
  })
  return Object.assign({}, ...columns) as Record<string, number>
}

const maxBatch = (i: CaseInputs) => {
  const of = (kvHeads: number) => {
    const perSequence = kvBytesPerSequence({ ...kvShape(i, 1, kvHeads), contextTokens: i.number('context') })
    const batch = largestBatch({
      chips: i.number('chips'),
      hbmBytesPerChip: i.number('hbm'),
      paramBytes: i.number('params'),
      kvBytesPerSequence: perSequence,
    })
    return { perSequence, batch }
  }
  const given = of(i.number('K'))
  return { kv_per_seq: given.perSequence, batch_K8: given.batch, batch_K1: of(1).batch }
}

/** An input of another case, where a case leaves out what the text around it gives. */
const inputOf = (id: string, name: string) => bookCases.find((one) => one.id === id)?.inputs[name]?.value

testChapter(7, {
  'ch07-bcrit-quantisation': quantisations,
  'ch07-llama13b-kv': (i) => {
    const bytesPerElement = i.number('dtype_bytes')
    const kv = kvBytesPerSequence({ ...kvShape(i, bytesPerElement), contextTokens: i.number('T') })
    const paramBytes = i.number('params') * bytesPerElement
    const saturation = throughputSaturation({
      paramBytes,
      kvBytesPerSequence: kv,
      chips: 1,
      // Enters the rate only; v5e.
      hbmBytesPerSecond: 8.2e11,
    })
    return {
      kv_bytes: kv,
      param_bytes: paramBytes,
      caches_to_exceed: saturation.cachesToExceedParams,
      activation_bytes: activationBytes({ tokens: i.number('T'), dModel: i.number('D'), bytesPerElement }),
    }
  },
  'ch07-table-llama13b-8xv5e-mha': batchTable,
  'ch07-table-llama13b-8xv5e-gqa5x': batchTable,
  'ch07-table-fit': (i) => {
    const fit = (hbm: string, kv: string) =>
      largestListedBatch({
        chips: i.number('chips'),
        hbmBytesPerChip: i.number(hbm),
        paramBytes: i.number('param_bytes'),
        kvBytesPerSequence: i.number(kv),
        batches: inputOf('ch07-table-llama13b-8xv5e-mha', 'batches') as readonly number[],
      })
    return {
      mha_GB: fit('hbm_gb', 'kv_mha'),
      mha_GiB: fit('hbm_gib', 'kv_mha'),
      gqa_GB: fit('hbm_gb', 'kv_gqa'),
      gqa_GiB: fit('hbm_gib', 'kv_gqa'),
    }
  },
  'ch07-membound-tp-limit': (i) => ({
    Y: memoryBoundTensorParallelism({
      dFf: i.number('F'),
      batchTokens: i.number('B'),
      memoryToLinkRatio: i.number('beta'),
    }),
  }),
  'ch07-beta-values': (i) => {
    const beta = (chip: string) => {
      const [hbm, link] = i.numbers(chip)
      return memoryToLinkRatio({ hbmBytesPerSecond: hbm!, linkBytesPerSecond: link! })
    }
    return {
      v5e: beta('v5e'),
      v6e: beta('v6e'),
      Y_exact_v5e: memoryBoundTensorParallelism({
        dFf: inputOf('ch07-membound-tp-limit', 'F') as number,
        batchTokens: inputOf('ch07-membound-tp-limit', 'B') as number,
        memoryToLinkRatio: beta('v5e'),
      }),
    }
  },
  'ch07-prefill-tp-rule': (i) => {
    const ways = i.numbers('F').map((dFf) => {
      const rule = prefillSharding({ chips: 16, dFf, criticalIntensity: i.number('alpha'), axes: 1 })
      return [`Y_${dFf}`, rule.maxTensorWays] as const
    })
    return Object.fromEntries(ways)
  },
  'ch07-q1-params': (i) => ({
    params: transformerParams({
      layers: i.number('L'),
      dModel: i.number('D'),
      dFf: i.number('F'),
      gated: true,
      queryHeads: i.number('N'),
      kvHeads: i.number('K'),
      headDim: i.number('H'),
      vocabulary: i.number('V'),
      tied: true,
      normsPerLayer: 0,
      experts: 1,
      expertsPerToken: 1,
    }).total,
    kv_per_token: kvBytesPerToken(kvShape(i, 1)),
  }),
  'ch07-q2-max-batch': maxBatch,
  'ch07-q2-max-batch-131072': maxBatch,
  'ch07-q3-param-load': (i) => ({
    t: weightLoadSeconds(i.number('param_bytes'), i.number('chips'), i.number('hbm_bw')),
  }),
  'ch07-q4-step-latency': (i) => {
    const sharding = kvSharding({
      shards: i.number('chips'),
      kvHeads: inputOf('ch07-q1-params', 'K') as number,
      queryHeads: inputOf('ch07-q1-params', 'N') as number,
      headDim: inputOf('ch07-q1-params', 'H') as number,
      batch: i.number('batch'),
    })
    return {
      t_step: memoryBoundStep({
        batch: i.number('batch'),
        kvBytesPerSequence: i.number('kv_per_seq'),
        paramBytes: i.number('params'),
        chips: i.number('chips'),
        hbmBytesPerSecond: i.number('hbm_bw'),
      }).seconds,
      kv_heads_way: sharding.headWays,
      kv_batch_way: sharding.batchWays,
    }
  },
  'ch07-q6-moe-8x16-load': (i) => {
    const stored = (bytesPerParam: number) => {
      const paramBytes = i.number('params') * bytesPerParam
      const chips = i.number('chips')
      return {
        seconds: weightLoadSeconds(paramBytes, chips, i.number('hbm_bw')),
        free: freeBytes({ chips, hbmBytesPerChip: i.number('hbm'), paramBytes }).freeBytesPerChip,
      }
    }
    return {
      t_int8: stored(1).seconds,
      free_int8: stored(1).free,
      t_bf16: stored(2).seconds,
      free_bf16: stored(2).free,
    }
  },
  'ch07-q7-2d-weight-stationary': (i) => {
    const found = twoDimensionalMinChips({ dFfPerDModel: i.number('F_over_D'), axes: i.number('axes_1d') })
    return { N_min: found.minChips, N_min_check_feb2025: found.minChips, sqrt128: found.commsConstant }
  },
  'ch07-2dws-numbers': (i) => {
    const choice = weightStationaryChoice({
      chips: i.number('N'),
      batchTokens: i.number('B'),
      dModel: i.number('D'),
      dFf: i.number('F'),
      linkBytesPerSecond: i.number('bidi_bw'),
      axes: i.number('axes_1d'),
    })
    return {
      X_opt: choice.modelShards,
      YZ_opt: choice.feedForwardShards,
      t_2d: choice.twoDimensionalSeconds,
      t_1d: choice.oneDimensionalSeconds,
      better: choice.better,
    }
  },
  'ch07-appA-layer-latency': (i) => {
    const params = mlpParams({ dModel: i.number('D'), dFf: i.number('F'), gated: false })
    // Two bytes a parameter: bf16.
    return { params, t: weightLoadSeconds(2 * params, i.number('ways'), i.number('hbm_bw')) }
  },
})
