import {
  attentionEqualsMatmulTokens,
  attentionIntensity,
  attentionProjectionFlops,
  attentionProjectionParams,
  attentionToMatmulRatio,
  attentionToMatmulRule,
  combineSoftmax,
  criticalBatch,
  decodeAttentionIntensityLimit,
  dotProductAttentionFlops,
  kvBytesPerSequence,
  kvBytesPerToken,
  mlpFlops,
  mlpParams,
  modelFlopsUtilisation,
  moeCriticalBatchTokens,
  trainingFlopsPerParamToken,
  transformerParams,
  vocabularyFlops,
  writtenContractionFlops,
} from '@windtunnel/cost'
import { type CaseInputs, testChapter } from './bookCases.ts'

const sizes = (i: CaseInputs, names: string): Record<string, number> =>
  Object.fromEntries([...names].map((name) => [name, i.number(name)]))

const shapeOf = (i: CaseInputs) => ({
  dModel: i.number('D'),
  dFf: i.number('F'),
  gated: true,
  queryHeads: i.number('N'),
  kvHeads: i.number('K'),
  headDim: i.number('H'),
})

testChapter(4, {
  'ch04-einsum-flops': (i) => ({
    flops: writtenContractionFlops({
      contraction: 'C[G,H,I,J,K,L]*D[G,H,M,N,K,L]->E[G,H,I,J,M,N]',
      sizes: sizes(i, 'GHIJKLMN'),
    }),
  }),
  'ch04-layer-accounting-llama70b': (i) => {
    const shape = shapeOf(i)
    const tokens = i.number('B') * i.number('T')
    const dot = {
      sequences: i.number('B'),
      queryTokens: i.number('T'),
      keyTokens: i.number('T'),
      queryHeads: shape.queryHeads,
      headDim: shape.headDim,
      pass: 'training' as const,
    }
    return {
      mlp_params: mlpParams(shape),
      attn_params: attentionProjectionParams(shape),
      mlp_flops: mlpFlops({ ...shape, tokens, pass: 'training' }),
      attn_proj_flops: attentionProjectionFlops({ ...shape, tokens, pass: 'training' }),
      attn_dot_flops: dotProductAttentionFlops({ ...dot, causal: false }),
      attn_dot_flops_causal: dotProductAttentionFlops({ ...dot, causal: true }),
    }
  },
  'ch04-attn-fraction-llama70b': (i) => ({
    ratio: attentionToMatmulRatio({ ...shapeOf(i), contextTokens: i.number('T') }),
    T_equal: attentionEqualsMatmulTokens(shapeOf(i)),
    generic_T_over_8D: attentionToMatmulRule({ contextTokens: i.number('T'), dModel: i.number('D') }),
  }),
  'ch04-block-remat-flops': () => ({
    no_remat: trainingFlopsPerParamToken('none'),
    block_remat: trainingFlopsPerParamToken('block'),
  }),
  // KH is given as one product, so it enters as the heads of size one.
  'ch04-kv-cache-8k': (i) => ({
    bytes: kvBytesPerSequence({
      layers: i.number('L'),
      kvHeads: i.number('KH'),
      headDim: 1,
      bytesPerElement: i.number('dtype_bytes'),
      contextTokens: i.number('S'),
    }),
  }),
  'ch04-q1-params': (i) => {
    const heads = { kvHeads: i.number('NH'), headDim: 1 }
    const params = transformerParams({
      layers: i.number('L'),
      dModel: i.number('D'),
      dFf: i.number('F'),
      gated: true,
      queryHeads: i.number('NH'),
      ...heads,
      vocabulary: i.number('V'),
      tied: false,
      normsPerLayer: 2,
      experts: 1,
      expertsPerToken: 1,
    })
    return {
      params: params.total,
      attn_fraction_of_layers: params.attentionShareOfLayers,
      attn_fraction_of_total: params.attentionShareOfTotal,
      kv_bytes_per_token: kvBytesPerToken({
        layers: i.number('L'),
        ...heads,
        bytesPerElement: i.number('kv_bytes'),
      }),
    }
  },
  'ch04-q3-multi-dim-contraction': (i) => ({
    flops: writtenContractionFlops({
      contraction: 'A[I,J,K,L]*B[I,J,M,N,O]->C[K,L,M,N,O]',
      sizes: sizes(i, 'IJKLMNO'),
    }),
  }),
  'ch04-q4-attention-intensity': (i) => {
    const queryHeadsPerKvHead = i.number('G')
    const prefill = i.number('T_prefill')
    return {
      prefill: attentionIntensity({ queryTokens: prefill, keyTokens: prefill, queryHeadsPerKvHead }),
      decode: attentionIntensity({ queryTokens: 1, keyTokens: i.number('S_decode'), queryHeadsPerKvHead }),
      decode_limit: decodeAttentionIntensityLimit({ queryHeadsPerKvHead }),
    }
  },
  'ch04-q7-deepseek-mfu': (i) => {
    const mfu = modelFlopsUtilisation({
      activatedParams: i.number('activated_params'),
      tokens: i.number('tokens'),
      deviceSeconds: i.number('gpu_hours') * 3600,
      peakFlopsPerSecond: i.number('peak_fp8'),
    })
    return { available_flops: mfu.availableFlops, used_flops: mfu.usedFlops, mfu: mfu.utilisation }
  },
  'ch04-q8-moe-bcrit': (i) => ({
    B_crit: moeCriticalBatchTokens({
      experts: i.number('E'),
      expertsPerToken: i.number('k'),
      denseCriticalBatchTokens: criticalBatch(i.number('peak'), i.number('hbm_bw'), i.number('weight_bytes')),
    }),
  }),
  'ch04-vocab-flops': (i) => {
    const vocabulary = {
      dModel: i.number('D'),
      vocabulary: i.number('V'),
      tokens: i.number('tokens'),
      pass: 'training' as const,
    }
    return {
      unembed: vocabularyFlops({ ...vocabulary, count: 'unembedding' }),
      summary_table: vocabularyFlops({ ...vocabulary, count: 'unembedding-and-embedding' }),
    }
  },
  'ch04-flash-combine': (i) => {
    const joined = combineSoftmax(
      { maximum: i.number('M1'), denominator: i.number('L1') },
      { maximum: i.number('M2'), denominator: i.number('L2') },
    )
    return { M: joined.maximum, L: joined.denominator }
  },
})
