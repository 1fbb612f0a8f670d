import {
  type AxisOverlap,
  bestFsdpShards,
  criticalIntensity,
  dataParallelMinTokensPerChip,
  dataParallelRegime,
  maxParamsOfDataParallelism,
  maxTensorParallelism,
  minDffForTensorParallelism,
  minTokensPerSlice,
  mixedRegime,
  mlpCheckpointBytes,
  sequenceLimitedDataParallelism,
  tensorParallelVerdict,
  trainingMemory,
  trainingSeconds,
  trainingSecondsForTokens,
  trainingStateBytes,
  transformerParams,
} from '@windtunnel/cost'
import { type CaseInputs, testChapter } from './bookCases.ts'

const secondsPerDay = 86_400

const mixed = (i: CaseInputs, overlap: AxisOverlap, batchTokens = i.number('B')) =>
  mixedRegime({
    batchTokens,
    chips: i.number('chips'),
    criticalIntensity: i.number('alpha'),
    dFf: i.number('F'),
    // A 3D torus shared 2 and 1, as the sibling cases of the slice say.
    axesProduct: 2,
    overlap,
  })

const fsdp = (i: CaseInputs, batchTokens: number) =>
  dataParallelRegime({ batchTokens, chips: i.number('chips'), criticalIntensity: i.number('alpha'), axes: 3 })

const best = (i: CaseInputs, chips: string) =>
  bestFsdpShards({
    batchTokens: i.number('B'),
    dFf: i.number('F'),
    chips: i.number(chips),
    fsdpAxes: i.number('M_X'),
    tensorAxes: i.number('M_Y'),
  })

testChapter(5, {
  'ch05-adam-max-params': (i) => ({
    params: maxParamsOfDataParallelism({ hbmBytes: i.number('hbm'), bytesPerParam: i.number('bytes_per_param') }),
  }),
  'ch05-dp-threshold-v5p': (i) => {
    const alpha = criticalIntensity(i.number('peak'), i.number('bidi_bw'))
    const [one, three] = i.numbers('axes')
    // The batch of the pod is asked for; the regime is that of any batch, here one token a chip.
    const pod = dataParallelRegime({
      batchTokens: i.number('pod'),
      chips: i.number('pod'),
      criticalIntensity: alpha,
      axes: three!,
    })
    return {
      one_axis: dataParallelMinTokensPerChip({ criticalIntensity: alpha, axes: one! }),
      three_axes: dataParallelMinTokensPerChip({ criticalIntensity: alpha, axes: three! }),
      pod_tokens: pod.minBatchTokens,
    }
  },
  'ch05-alpha-v5e': (i) => ({ alpha: criticalIntensity(i.number('peak'), i.number('bidi_bw')) }),
  'ch05-llama70b-fsdp-16m': (i) => {
    const { maxChips } = dataParallelRegime({
      batchTokens: i.number('batch'),
      chips: 1,
      criticalIntensity: i.number('alpha'),
      axes: i.number('axes'),
    })
    const seconds = trainingSeconds({
      flops: i.number('flops'),
      chips: maxChips,
      peakFlopsPerSecond: i.number('peak'),
      utilisation: i.number('mfu'),
    })
    return { chips: maxChips, days: seconds / secondsPerDay }
  },
  'ch05-tp-limits': (i) => {
    const axis = { axes: i.number('axes'), criticalIntensity: i.number('alpha') }
    const llama = { ...axis, dFf: i.number('F_llama') }
    return {
      Y_llama: maxTensorParallelism(llama),
      Y_gemma: maxTensorParallelism({ ...axis, dFf: i.number('F_gemma') }),
      F_for_8way: minDffForTensorParallelism({ ...axis, ways: 8 }),
      llama_8way: tensorParallelVerdict({ ...llama, ways: 8 }),
      llama_16way: tensorParallelVerdict({ ...llama, ways: 16 }),
    }
  },
  'ch05-tp-int8-invariance': (i) => {
    const alphaInt8 = criticalIntensity(i.number('peak_int8'), i.number('bidi_bw'))
    const alphaBf16 = criticalIntensity(i.number('peak_int8') / 2, i.number('bidi_bw'))
    const layer = { dFf: i.number('F'), axes: 1 }
    return {
      alpha_int8: alphaInt8,
      Y_bf16: maxTensorParallelism({ ...layer, criticalIntensity: alphaBf16, bytesPerElement: 2 }),
      Y_int8: maxTensorParallelism({ ...layer, criticalIntensity: alphaInt8, bytesPerElement: 1 }),
    }
  },
  'ch05-xopt-64': (i) => {
    const found = best(i, 'N')
    return { X_opt: found.fsdpShards, X_rounded: found.roundedFsdpShards, Y_rounded: found.roundedTensorShards }
  },
  'ch05-fig-16cube-threshold': (i) => {
    const threshold = (overlap: AxisOverlap) =>
      mixedRegime({
        batchTokens: i.number('N'),
        chips: i.number('N'),
        criticalIntensity: i.number('alpha'),
        dFf: i.number('F'),
        axesProduct: i.number('M_X_times_M_Y'),
        overlap,
      }).minBatchTokens
    return { latest: threshold('overlapped'), feb2025: threshold('serial') }
  },
  'ch05-dcn-threshold': (i) => ({
    B_per_slice: minTokensPerSlice({
      peakFlopsPerSecond: i.number('peak'),
      dcnBytesPerSecond: i.number('dcn_per_chip'),
    }),
  }),
  'ch05-dcn-threshold-feb2025': (i) => ({
    B_per_pod: minTokensPerSlice({
      peakFlopsPerSecond: i.number('pod_peak'),
      dcnBytesPerSecond: i.number('pod_dcn'),
    }),
  }),
  'ch05-q1-llama13b-params': (i) => {
    const params = transformerParams({
      layers: i.number('L'),
      dModel: i.number('D'),
      dFf: i.number('F'),
      gated: true,
      queryHeads: i.number('N'),
      kvHeads: i.number('K'),
      headDim: i.number('H'),
      vocabulary: i.number('V'),
      tied: false,
      normsPerLayer: 0,
      experts: 1,
      expertsPerToken: 1,
    })
    return { ffw: params.mlp, attn: params.attention, vocab: params.vocabulary, total: params.total }
  },
  'ch05-q2-memory': (i) => ({
    params_and_optimizer: trainingStateBytes({ params: i.number('params') }).totalBytes,
    activations: mlpCheckpointBytes({
      layers: i.number('L'),
      batchTokens: i.number('B'),
      dModel: i.number('D'),
      dFf: i.number('F'),
    }),
  }),
  'ch05-q3-setup': (i) => {
    const memory = trainingMemory({
      params: i.number('params'),
      checkpointBytes: mlpCheckpointBytes({
        layers: i.number('L'),
        batchTokens: i.number('B'),
        dModel: i.number('D'),
        dFf: i.number('F'),
      }),
      hbmBytesPerChip: i.number('hbm'),
      chips: i.number('chips'),
    })
    const { sequences } = sequenceLimitedDataParallelism({
      batchTokens: i.number('B'),
      // "32k" is 2^15 here, as the note of the case works it out.
      tokensPerSequence: (i.number('seq_len') / 1000) * 1024,
      chips: i.number('chips'),
    })
    const regime = fsdp(i, i.number('B'))
    return {
      slice_hbm: memory.hbmBytes,
      sequences,
      checkpoints: memory.checkpointBytes,
      total_bytes: memory.totalBytes,
      bytes_per_chip_fsdp: memory.bytesPerChip,
      pure_dp_fits: memory.dataParallelFits,
      fsdp_min_batch: regime.minBatchTokens,
      fsdp: regime.verdict,
    }
  },
  'ch05-q3-mixed-latest': (i) => {
    const regime = mixed(i, 'overlapped')
    const found = best(i, 'chips')
    return {
      threshold: regime.minTokensPerChip,
      B_over_N: regime.tokensPerChip,
      verdict: regime.verdict,
      X_opt: found.fsdpShards,
      X_rounded: found.roundedFsdpShards,
      Y_rounded: found.roundedTensorShards,
      step_time: trainingSecondsForTokens({
        activatedParams: i.number('params'),
        tokens: i.number('B'),
        chips: i.number('chips'),
        peakFlopsPerSecond: i.number('peak'),
        utilisation: i.number('mfu'),
      }),
    }
  },
  'ch05-q3-mixed-feb2025': (i) => {
    const regime = mixed(i, 'serial')
    return { threshold: regime.minTokensPerChip, verdict: regime.verdict }
  },
  'ch05-q4-other-batches': (i) => {
    const [small, large] = i.numbers('batches')
    return {
      tokens_per_chip_1m: fsdp(i, small!).tokensPerChip,
      mixed_1m_max_model: mixed(i, 'overlapped', small!).verdict,
      fsdp_1m: fsdp(i, small!).verdict,
      tokens_per_chip_10m: fsdp(i, large!).tokensPerChip,
      fsdp_10m: fsdp(i, large!).verdict,
    }
  },
})
