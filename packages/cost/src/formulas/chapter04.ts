import { criticalBatch } from '../rooflines/index.ts'
import {
  attentionEqualsMatmulTokens,
  attentionEqualsProjectionsTokens,
  attentionIntensity,
  attentionProjectionFlops,
  attentionProjectionParams,
  attentionToMatmulRatio,
  attentionToMatmulRule,
  combineSoftmax,
  contractionFlops,
  decodeAttentionIntensityLimit,
  dotProductAttentionFlops,
  forwardFlops,
  idleAxisMatmulFlops,
  kvBytesPerSequence,
  kvBytesPerToken,
  matmulCheckpointRecomputeFlops,
  matmulTrainingFlops,
  mlpFlops,
  mlpParams,
  modelFlopsUtilisation,
  moeCriticalBatchTokens,
  savedActivationBytes,
  trainingFlops,
  transformerParams,
  vocabularyFlops,
  vocabularyParams,
} from '../transformer/index.ts'
import { choice, yesOrNo } from './choice.ts'
import { chapter, formula, number, numbers } from './formula.ts'

const dModel = number('1', 'model dimension, D')
const dFf = number('1', 'feed-forward dimension, F')
const queryHeads = number('1', 'query heads, N')
const kvHeads = number('1', 'KV heads, K; equal to N without grouping')
const headDim = number('1', 'head dimension, H')
const layers = number('1', 'layers, L')
const vocabulary = number('1', 'vocabulary, V')
const tokens = number('tokens', 'tokens, B x T')
const activatedParams = number('1', 'parameters one token uses; all of a dense model')
const gated = yesOrNo('gated', 'whether the MLP has a gate matrix', 'yes')
const tied = yesOrNo('tied', 'whether input and output embedding are one matrix', 'no')
const causal = yesOrNo('causal', 'whether the kernel skips masked pairs', 'no')
const pass = choice('pass', 'the passes counted', ['training', 'forward'], 'training')
const count = choice(
  'count',
  'what is counted: the operation table of the chapter, or its summary table',
  ['unembedding', 'unembedding-and-embedding'],
  'unembedding',
)
const rematerialisation = choice('rematerialisation', 'what the backward pass recomputes', ['none', 'block'], 'none')

export const chapter04 = chapter(4, 'Transformer math', {
  M1: formula({
    title: 'FLOPs of a contraction',
    text: '2 x product of all distinct dimensions (1 x without contracted ones)',
    variables: {
      outputSizes: numbers('1', 'sizes of the dimensions of the output, batching ones included', []),
      contractedSizes: numbers('1', 'sizes of the dimensions summed over', []),
    },
    outputs: { flops: 'FLOP' },
    by: { contractionFlops },
    evaluate: (v) => ({ flops: contractionFlops(v) }),
  }),
  M2: formula({
    title: 'FLOPs of training a matmul',
    text: '2NPM forward + 4NPM backward = 6NPM',
    variables: {
      rows: number('1', 'rows of the left matrix, N'),
      inner: number('1', 'contracted dimension, P'),
      columns: number('1', 'columns of the right matrix, M'),
    },
    outputs: { forwardFlops: 'FLOP', backwardFlops: 'FLOP', totalFlops: 'FLOP' },
    by: { matmulTrainingFlops },
    evaluate: matmulTrainingFlops,
  }),
  M3: formula({
    title: 'parameters and FLOPs of an MLP',
    text: 'gated: 3DF, 18BTDF; not gated: 2DF, 12BTDF (per layer, training)',
    variables: { dModel, dFf, tokens, gated: gated.variable, pass: pass.variable },
    outputs: { params: '1', flops: 'FLOP' },
    by: { mlpParams, mlpFlops },
    evaluate: (v) => {
      const inputs = { ...v, gated: gated.read(v.gated), pass: pass.read(v.pass) }
      return { params: mlpParams(inputs), flops: mlpFlops(inputs) }
    },
  }),
  M4: formula({
    title: 'parameters and FLOPs of the attention projections',
    text: '2D(N+K)H, 12BTD(N+K)H (per layer, training); 4DNH and 24BTDNH with K = N',
    variables: { dModel, queryHeads, kvHeads, headDim, tokens, pass: pass.variable },
    outputs: { params: '1', flops: 'FLOP' },
    by: { attentionProjectionParams, attentionProjectionFlops },
    evaluate: (v) => ({
      params: attentionProjectionParams(v),
      flops: attentionProjectionFlops({ ...v, pass: pass.read(v.pass) }),
    }),
  }),
  M5: formula({
    title: 'FLOPs of dot-product attention',
    text: '12BTSNH per layer in training, a third of it forward, half of it with a causal kernel',
    variables: {
      sequences: number('1', 'sequences, B'),
      queryTokens: number('tokens', 'query length, T'),
      keyTokens: number('tokens', 'key length, S'),
      queryHeads,
      headDim,
      causal: causal.variable,
      pass: pass.variable,
    },
    outputs: { flops: 'FLOP' },
    by: { dotProductAttentionFlops },
    evaluate: (v) => ({
      flops: dotProductAttentionFlops({ ...v, causal: causal.read(v.causal), pass: pass.read(v.pass) }),
    }),
  }),
  M6: formula({
    title: 'parameters and FLOPs of the vocabulary',
    text: 'DV params each way; 6BTDV in training (12BTDV in the summary table)',
    variables: { dModel, vocabulary, tokens, tied: tied.variable, count: count.variable, pass: pass.variable },
    outputs: { params: '1', flops: 'FLOP' },
    by: { vocabularyParams, vocabularyFlops },
    evaluate: (v) => ({
      params: vocabularyParams({ ...v, tied: tied.read(v.tied) }),
      flops: vocabularyFlops({ ...v, count: count.read(v.count), pass: pass.read(v.pass) }),
    }),
  }),
  M7: formula({
    title: 'parameters and FLOPs of a whole transformer',
    text: 'L(3DF + 2D(N+K)H + 2D) + 2DV; 6 x params x tokens in training (8 with block remat), 2 x forward',
    variables: {
      layers,
      dModel,
      dFf,
      queryHeads,
      kvHeads,
      headDim,
      vocabulary,
      tokens,
      gated: gated.variable,
      tied: tied.variable,
      normsPerLayer: number('1', 'norm vectors per layer: 2 in the latest edition, 1 in that of February 2025', 2),
      rematerialisation: rematerialisation.variable,
    },
    outputs: {
      mlp: '1',
      attention: '1',
      norms: '1',
      vocabulary: '1',
      total: '1',
      attentionShareOfLayers: '1',
      attentionShareOfTotal: '1',
      trainingFlops: 'FLOP',
      forwardFlops: 'FLOP',
    },
    valid: 'FLOPs leave out dot-product attention (M5): contexts well below 8D',
    by: { transformerParams, trainingFlops, forwardFlops },
    evaluate: (v) => {
      const dense = { gated: gated.read(v.gated), tied: tied.read(v.tied), experts: 1, expertsPerToken: 1 }
      const params = transformerParams({ ...v, ...dense })
      const work = { activatedParams: params.total, tokens: v.tokens }
      return {
        ...params,
        trainingFlops: trainingFlops({ ...work, rematerialisation: rematerialisation.read(v.rematerialisation) }),
        forwardFlops: forwardFlops(work),
      }
    },
  }),
  M8: formula({
    title: 'attention against matmul FLOPs',
    text: '12T NH/(18DF + 12D(N+K)H); T/(8D) for F=4D, NH=D, K=N; attention equals the projections at T=2D',
    variables: {
      contextTokens: number('tokens', 'context, T'),
      dModel,
      dFf,
      queryHeads,
      kvHeads,
      headDim,
      gated: gated.variable,
    },
    outputs: { ratio: '1', equalTokens: 'tokens', ruleOfThumb: '1', equalsProjectionsTokens: 'tokens' },
    by: {
      attentionToMatmulRatio,
      attentionEqualsMatmulTokens,
      attentionToMatmulRule,
      attentionEqualsProjectionsTokens,
    },
    evaluate: (v) => {
      const shape = { ...v, gated: gated.read(v.gated) }
      return {
        ratio: attentionToMatmulRatio(shape),
        equalTokens: attentionEqualsMatmulTokens(shape),
        ruleOfThumb: attentionToMatmulRule(shape),
        equalsProjectionsTokens: attentionEqualsProjectionsTokens(shape),
      }
    },
  }),
  M9: formula({
    title: 'parameters and FLOPs of a mixture of experts',
    text: 'L(3EDF + attention) + vocabulary; activated with k for E; 2 x activated x tokens forward',
    variables: {
      layers,
      dModel,
      dFf: number('1', 'feed-forward dimension of one expert, F'),
      queryHeads,
      kvHeads,
      headDim,
      vocabulary,
      experts: number('1', 'experts per layer, E'),
      expertsPerToken: number('1', 'experts a token visits, k'),
      tokens,
      gated: gated.variable,
      tied: tied.variable,
      normsPerLayer: number('1', 'norm vectors per layer', 2),
    },
    outputs: { total: '1', activated: '1', forwardFlops: 'FLOP', trainingFlops: 'FLOP' },
    valid: 'router left out; every layer has experts',
    by: { transformerParams, forwardFlops, trainingFlops },
    evaluate: (v) => {
      const { total, activated } = transformerParams({ ...v, gated: gated.read(v.gated), tied: tied.read(v.tied) })
      const work = { activatedParams: activated, tokens: v.tokens }
      return { total, activated, forwardFlops: forwardFlops(work), trainingFlops: trainingFlops(work) }
    },
  }),
  M10: formula({
    title: 'critical batch of a mixture of experts',
    text: 'B > (E/k) x B_crit(dense); 120 E/k for int8 weights on v5e',
    variables: {
      experts: number('1', 'experts, E'),
      expertsPerToken: number('1', 'experts a token visits, k'),
      peakFlopsPerSecond: number('FLOP/s', 'peak for the compute dtype'),
      hbmBytesPerSecond: number('B/s', 'HBM bandwidth of one chip'),
      weightBytes: number('B', 'bytes per weight', 2),
    },
    outputs: { criticalBatchTokens: 'tokens' },
    valid: 'uniform routing',
    by: { moeCriticalBatchTokens, criticalBatch },
    evaluate: (v) => ({
      criticalBatchTokens: moeCriticalBatchTokens({
        ...v,
        denseCriticalBatchTokens: criticalBatch(v.peakFlopsPerSecond, v.hbmBytesPerSecond, v.weightBytes),
      }),
    }),
  }),
  M11: formula({
    title: 'bytes of saved activations',
    text: '2 * n_saved * tokens * D * L (n = 20 without remat, 7 big matmuls, 1 block remat)',
    variables: {
      savedArrays: number('1', 'arrays of tokens x D kept per layer'),
      tokens,
      dModel,
      layers,
      bytesPerElement: number('B', 'bytes per element', 2),
    },
    outputs: { bytes: 'B' },
    by: { savedActivationBytes },
    evaluate: (v) => ({ bytes: savedActivationBytes(v) }),
  }),
  M12: formula({
    title: 'KV cache bytes',
    text: '2*L*K*H*dtype per token; x S per sequence',
    variables: {
      layers,
      kvHeads: number('1', 'KV heads, K'),
      headDim,
      bytesPerElement: number('B', 'bytes per cached element', 2),
      contextTokens: number('tokens', 'tokens of a sequence, S', 1),
    },
    outputs: { bytesPerToken: 'B', bytesPerSequence: 'B' },
    by: { kvBytesPerToken, kvBytesPerSequence },
    evaluate: (v) => ({ bytesPerToken: kvBytesPerToken(v), bytesPerSequence: kvBytesPerSequence(v) }),
  }),
  M13: formula({
    title: 'intensity of grouped attention',
    text: '4BTSKGH/(4BHK(TG+S)); prefill TG/(G+1); decode SG/(S+G) -> G',
    variables: {
      queryTokens: number('tokens', 'query length, T; 1 in decode'),
      keyTokens: number('tokens', 'key length, S'),
      queryHeadsPerKvHead: number('1', 'query heads per KV head, G', 1),
      bytesPerElement: number('B', 'bytes per element', 2),
    },
    outputs: { intensity: 'FLOP/B', decodeLimit: 'FLOP/B' },
    by: { attentionIntensity, decodeAttentionIntensityLimit },
    evaluate: (v) => ({ intensity: attentionIntensity(v), decodeLimit: decodeAttentionIntensityLimit(v) }),
  }),
  M14: formula({
    title: 'FLOPs recomputed when the big matmul outputs are saved',
    text: '4BT^2NH (QK^T and AV)',
    variables: {
      sequences: number('1', 'sequences, B'),
      tokensPerSequence: number('tokens', 'length, T'),
      queryHeads,
      headDim,
    },
    outputs: { flopsPerLayer: 'FLOP' },
    by: { matmulCheckpointRecomputeFlops },
    evaluate: (v) => ({ flopsPerLayer: matmulCheckpointRecomputeFlops(v) }),
  }),
  M15: formula({
    title: 'model FLOPs utilisation',
    text: 'MFU = 6*activated*tokens/(device_seconds*peak)',
    variables: {
      activatedParams,
      tokens: number('tokens', 'tokens trained on'),
      deviceSeconds: number('s', 'devices x seconds'),
      peakFlopsPerSecond: number('FLOP/s', 'peak of one device'),
    },
    outputs: { usedFlops: 'FLOP', availableFlops: 'FLOP', utilisation: '1' },
    by: { modelFlopsUtilisation },
    evaluate: modelFlopsUtilisation,
  }),
  M16: formula({
    title: 'matmul with idle mesh axes',
    text: 'total 2BDF*Z, per device 2BDF/(XY)',
    variables: {
      rows: number('1', 'rows, B'),
      inner: number('1', 'contracted dimension, D'),
      columns: number('1', 'columns, F'),
      shards: number('1', 'product of the axes that shard the matmul, XY'),
      idleReplicas: number('1', 'product of the axes that do not, Z', 1),
    },
    outputs: { totalFlops: 'FLOP', flopsPerDevice: 'FLOP', wastedShare: '1' },
    by: { idleAxisMatmulFlops },
    evaluate: idleAxisMatmulFlops,
  }),
  M17: formula({
    title: 'joining two chunks of a softmax',
    text: 'M = max(M1,M2); L = exp(M1-M) L1 + exp(M2-M) L2',
    variables: {
      firstMaximum: number('1', 'largest logit of the first chunk, M1'),
      firstDenominator: number('1', 'sum of exponentials of the first chunk, L1'),
      secondMaximum: number('1', 'M2'),
      secondDenominator: number('1', 'L2'),
    },
    outputs: { maximum: '1', denominator: '1' },
    by: { combineSoftmax },
    evaluate: (v) => {
      const { maximum, denominator } = combineSoftmax(
        { maximum: v.firstMaximum, denominator: v.firstDenominator },
        { maximum: v.secondMaximum, denominator: v.secondDenominator },
      )
      return { maximum, denominator }
    },
  }),
})
