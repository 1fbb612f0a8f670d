import {
  criticalBatch,
  criticalIntensity,
  dotProduct,
  exactCriticalBatch,
  mathSeconds,
  matmulTime,
  matmulWork,
  perExampleMatmul,
  smallBatchIntensity,
  tileIntensity,
  tokenBatch,
} from '@windtunnel/cost'
import { type Adapter, testChapter } from './bookCases.ts'

const int8Matmul: Adapter = (i) => ({
  critical_intensity: criticalIntensity(i.number('peak_int8'), i.number('hbm_bw')),
  B_crit: criticalBatch(i.number('peak_int8'), i.number('hbm_bw'), 1),
})

testChapter(1, {
  'ch01-time-1e12-flops': (i) => ({
    t_h100: mathSeconds(i.number('flops'), i.number('peak_h100')),
    t_v6e: mathSeconds(i.number('flops'), i.number('peak_v6e')),
  }),
  'ch01-dot-product-intensity': (i) => {
    const { intensity, intensityLimit } = dotProduct(i.number('N'), i.number('bytes_per_elem'))
    return { intensity, limit: intensityLimit }
  },
  'ch01-matmul-intensity-exact': (i) => {
    const bytes = i.number('bytes_per_elem')
    const { intensity } = matmulWork({
      batchTokens: i.number('B'),
      inputDim: i.number('D'),
      outputDim: i.number('F'),
      inputBytes: bytes,
      weightBytes: bytes,
      outputBytes: bytes,
    })
    return { intensity, approx_intensity: smallBatchIntensity(i.number('B'), bytes) }
  },
  'ch01-q1-int8-matmul': int8Matmul,
  'ch01-q1-int8-matmul-feb2025': int8Matmul,
  'ch01-q1-int8-bounds': (i) => {
    const time = matmulTime({
      batchTokens: i.number('B'),
      inputDim: i.number('D'),
      outputDim: i.number('F'),
      inputBytes: 1,
      weightBytes: 1,
      outputBytes: 1,
      peakFlopsPerSecond: i.number('peak_int8'),
      bytesPerSecond: i.number('hbm_bw'),
    })
    return {
      t_math: time.mathSeconds,
      t_comms: time.moveSeconds,
      t_lower: time.lowerSeconds,
      t_upper: time.upperSeconds,
      bound: time.bound,
    }
  },
  'ch01-q2-int8-weights-bf16-flops': (i) => ({
    B_crit: criticalBatch(i.number('peak'), i.number('hbm_bw'), i.number('weight_bytes')),
  }),
  'ch01-q3-exact-crossover-1024': (i) => {
    const matmul = {
      inputDim: i.number('D'),
      outputDim: i.number('F'),
      weightBytes: 1,
      peakFlopsPerSecond: i.number('peak'),
      bytesPerSecond: i.number('hbm_bw'),
    }
    return {
      B_crit_exact: exactCriticalBatch(matmul),
      achieved_at_B64: matmulTime({ ...matmul, batchTokens: i.number('B_probe') }).achievedFlopsPerSecond,
    }
  },
  'ch01-q4-per-example-weights': (i) => {
    const { intensity, intensityLimit } = perExampleMatmul({
      batchTokens: i.number('B'),
      inputDim: i.number('D'),
      outputDim: i.number('F'),
      bytesPerElement: i.number('bytes_per_elem'),
    })
    return { intensity, limit: intensityLimit }
  },
  'ch01-token-batch-footnote': (i) => {
    const { tokens, tokensPerDevice } = tokenBatch(i.number('sequences'), i.number('seq_len'), i.number('gpus'))
    return { tokens, tokens_per_gpu: tokensPerDevice }
  },
  'ch01-tiled-matmul-intensity': (i) => ({ intensity: tileIntensity(i.number('bm'), i.number('bn')) }),
})
