import {
  acrossSlicesRegime,
  bestFsdpShards,
  dataParallelRegime,
  mixedRegime,
  savedActivationBytes,
  sequenceLimitedDataParallelism,
  timeOnOtherChips,
  trainingFlops,
  trainingMemory,
  trainingSeconds,
} from '@windtunnel/cost'
import { type CaseInputs, testChapter } from './bookCases.ts'

const secondsPerDay = 86_400
const daysPerYear = 365

const checkpoints = (i: CaseInputs, savedArrays: number) =>
  savedActivationBytes({
    savedArrays,
    tokens: i.number('tokens'),
    dModel: i.number('D'),
    layers: i.number('L'),
  })

const memory = (i: CaseInputs, hbmBytesPerChip: number) =>
  trainingMemory({
    params: i.number('params'),
    checkpointBytes: checkpoints(i, i.number('ckpts_per_layer')),
    hbmBytesPerChip,
    chips: i.number('pod'),
  })

const minChips = (i: CaseInputs) => {
  const found = memory(i, i.number('hbm'))
  // The edition of February 2025 divides by the 225 chips it prints, where 226 are needed (note of the case).
  const otherChips = i.edition === 'feb2025' ? 225 : found.minChips
  const days = timeOnOtherChips({ time: i.number('pod_days'), chips: i.number('pod'), otherChips })
  return {
    params_bytes: found.weightBytes,
    optimizer_bytes: found.optimizerBytes,
    checkpoint_bytes: found.checkpointBytes,
    checkpoint_bytes_if_3: checkpoints(i, 3),
    total: found.totalBytes,
    chips: found.minChips,
    days,
    years: days / daysPerYear,
    per_chip_pod: found.bytesPerChip,
  }
}

testChapter(6, {
  'ch06-flops-per-token': (i) => {
    const flops = trainingFlops({ activatedParams: i.number('params'), tokens: 1 })
    return { flops, t: trainingSeconds({ flops, chips: 1, peakFlopsPerSecond: i.number('peak'), utilisation: 1 }) }
  },
  'ch06-pod-time': (i) => {
    const seconds = trainingSeconds({
      flops: i.number('flops'),
      chips: i.number('chips'),
      peakFlopsPerSecond: i.number('peak'),
      utilisation: i.number('mfu'),
    })
    return { seconds, days: seconds / secondsPerDay }
  },
  'ch06-min-chips-memory': minChips,
  'ch06-min-chips-memory-feb2025': minChips,
  // The memory of one chip does not enter what each of them holds; the book's v5p has 96e9 bytes.
  'ch06-12-checkpoints': (i) => ({ per_chip: memory(i, 96e9).bytesPerChip }),
  'ch06-seq-limited-dp': (i) => {
    const limit = sequenceLimitedDataParallelism({
      batchTokens: i.number('tokens'),
      tokensPerSequence: i.number('seq_len'),
      chips: i.number('chips'),
    })
    return { max_dp: limit.maxShards, feasible: limit.feasible }
  },
  'ch06-fsdp-only': (i) => {
    const regime = dataParallelRegime({
      batchTokens: i.number('tokens'),
      chips: i.number('chips'),
      criticalIntensity: i.number('alpha'),
      axes: i.number('axes'),
    })
    return { tokens_per_chip: regime.tokensPerChip, bound: regime.minTokensPerChip, verdict: regime.verdict }
  },
  'ch06-mixed': (i) => {
    const slice = {
      batchTokens: i.number('B'),
      chips: i.number('N'),
      criticalIntensity: i.number('alpha'),
      dFf: i.number('F'),
      axesProduct: i.number('M_X') * i.number('M_Y'),
    }
    const overlapped = mixedRegime({ ...slice, overlap: 'overlapped' })
    const best = bestFsdpShards({ ...slice, fsdpAxes: i.number('M_X'), tensorAxes: i.number('M_Y') })
    return {
      threshold_max_model: overlapped.minTokensPerChip,
      threshold_sum_model: mixedRegime({ ...slice, overlap: 'serial' }).minTokensPerChip,
      verdict: overlapped.verdict,
      X_opt: best.fsdpShards,
      X_rounded: best.roundedFsdpShards,
      Y_rounded: best.roundedTensorShards,
    }
  },
  'ch06-q1-four-pods': (i) => {
    const chips = i.number('pods') * i.number('pod')
    const across = acrossSlicesRegime({
      batchTokens: i.number('B'),
      slices: i.number('pods'),
      minTokensPerSlice: i.number('dcn_bound'),
    })
    const pods = {
      batchTokens: i.number('B'),
      chips,
      criticalIntensity: i.number('alpha'),
      dFf: i.number('F'),
      axesProduct: 2,
    }
    const overlapped = mixedRegime({ ...pods, overlap: 'overlapped' })
    const seconds = trainingSeconds({
      flops: i.number('flops'),
      chips,
      peakFlopsPerSecond: i.number('peak'),
      utilisation: i.number('mfu'),
    })
    return {
      tokens_per_pod: across.tokensPerSlice,
      dcn: across.verdict,
      tokens_per_chip: overlapped.tokensPerChip,
      mixed_threshold: overlapped.minTokensPerChip,
      verdict_max_model: overlapped.verdict,
      verdict_sum_model: mixedRegime({ ...pods, overlap: 'serial' }).verdict,
      days: seconds / secondsPerDay,
    }
  },
})
