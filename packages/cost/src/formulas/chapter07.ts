import {
  bestDraftLength,
  decodeMatmul,
  decodeStep,
  kvCollectiveSeconds,
  kvSharding,
  latencyBoundArrayBytes,
  latencyBoundTensorParallelism,
  memoryBoundStep,
  memoryBoundTensorParallelism,
  memoryToLinkRatio,
  prefillSharding,
  saturationBatchRule,
  speculativeDecoding,
  throughputSaturation,
  twoDimensionalMinChips,
  weightStationaryChoice,
} from '../inference/index.ts'
import { criticalBatch } from '../rooflines/index.ts'
import { attentionIntensity, mixedKvBytes, moeCriticalBatchTokens } from '../transformer/index.ts'
import { chapter, formula, number } from './formula.ts'

const batch = number('1', 'sequences that decode, B')
const kvBytes = number('B', 'KV cache of one sequence')
const paramBytes = number('B', 'bytes of the weights')
const chips = number('1', 'chips, N')
const hbmBytesPerSecond = number('B/s', 'HBM bandwidth of one chip')
const peakFlopsPerSecond = number('FLOP/s', 'peak of one chip for the compute dtype, C')
const linkBytesPerSecond = number('B/s', 'one axis, both directions, W_ici')
const onewayBytesPerSecond = number('B/s', 'one link, one direction')
const hopSeconds = number('s', 'least time of a hop', 1e-6)
const batchTokens = number('tokens', 'tokens in the batch, B')
const dModel = number('1', 'model dimension, D')
const dFf = number('1', 'feed-forward dimension, F')
const kvHeads = number('1', 'KV heads, K')
const headDim = number('1', 'head dimension, H')
const contextTokens = number('tokens', 'context')
const weightBytes = number('B', 'bytes per weight', 2)

export const chapter07 = chapter(7, 'Inference', {
  I1: formula({
    title: 'least time of a decode step',
    text: 'T_step >= (B*KV + params_bytes)/W_total',
    variables: { batch, kvBytesPerSequence: kvBytes, paramBytes, chips, hbmBytesPerSecond },
    outputs: { seconds: 's', totalBytes: 'B' },
    valid: 'batches below the critical one (I4)',
    by: { memoryBoundStep },
    evaluate: memoryBoundStep,
  }),
  I2: formula({
    title: 'most tokens per second of decoding',
    text: 'tokens/s <= B*W_total/(B*KV + params_bytes)',
    variables: { batch, kvBytesPerSequence: kvBytes, paramBytes, chips, hbmBytesPerSecond },
    outputs: { tokensPerSecond: 'tokens/s' },
    valid: 'batches below the critical one (I4)',
    by: { memoryBoundStep },
    evaluate: memoryBoundStep,
  }),
  I3: formula({
    title: 'time of a decode step',
    text: 'T = B*KV/W_total + max(2*B*params/C_total, params_bytes/W_total)',
    variables: {
      batch,
      kvBytesPerSequence: kvBytes,
      activatedParams: number('1', 'parameters one token uses'),
      paramBytes,
      chips,
      hbmBytesPerSecond,
      peakFlopsPerSecond,
    },
    outputs: {
      kvSeconds: 's',
      weightSeconds: 's',
      mathSeconds: 's',
      seconds: 's',
      tokensPerSecond: 'tokens/s',
      matmulBound: 'verdict',
    },
    valid: 'attention always memory-bound; communication left out',
    by: { decodeStep },
    evaluate: (v) => ({ ...decodeStep(v) }),
  }),
  I4: formula({
    title: 'critical batch under a quantisation',
    text: 'B_crit = (weight bytes/2) * C/W, C of the compute dtype',
    variables: { peakFlopsPerSecond, hbmBytesPerSecond, weightBytes },
    outputs: { criticalBatchTokens: 'tokens' },
    valid: 'per replica of the weights',
    by: { criticalBatch },
    evaluate: (v) => ({
      criticalBatchTokens: criticalBatch(v.peakFlopsPerSecond, v.hbmBytesPerSecond, v.weightBytes),
    }),
  }),
  I5: formula({
    title: 'intensity of attention without grouping',
    text: 'ST/(S+T); prefill T/2, decode about 1',
    variables: {
      queryTokens: number('tokens', 'query length, T; 1 in decode'),
      keyTokens: number('tokens', 'key length, S'),
    },
    outputs: { intensity: 'FLOP/B' },
    valid: 'bf16; grouped heads are M13',
    by: { attentionIntensity },
    evaluate: (v) => ({ intensity: attentionIntensity({ ...v, queryHeadsPerKvHead: 1 }) }),
  }),
  I6: formula({
    title: 'KV cache of a sequence, with windowed layers and shared caches',
    text: 'KV = 2*bytes*H*K*L*T; windowed layers keep at most the window; sharing divides storage, not reads',
    variables: {
      globalLayers: number('1', 'layers that attend to the whole context'),
      localLayers: number('1', 'layers that attend to a window', 0),
      windowTokens: number('tokens', 'the window', 1),
      layersPerCache: number('1', 'layers that share one stored cache', 1),
      kvHeads,
      headDim,
      bytesPerElement: number('B', 'bytes per cached element', 2),
      contextTokens,
    },
    outputs: { storedBytes: 'B', readBytes: 'B' },
    by: { mixedKvBytes },
    evaluate: mixedKvBytes,
  }),
  I7: formula({
    title: 'limit of tensor parallelism in decode',
    text: 'T_hbm = 2DF/(Y W_hbm), T_ici = 2BD/W_ici; ICI binds when Y > F/(B*beta), beta = W_hbm/W_ici',
    variables: {
      batchTokens,
      dModel,
      dFf,
      shards: number('1', 'ways of tensor parallelism, Y', 1),
      axes: number('1', 'hardware axes it spans', 1),
      hbmBytesPerSecond,
      linkBytesPerSecond,
      peakFlopsPerSecond,
      weightBytes,
      activationBytes: number('B', 'bytes per activation', 2),
    },
    outputs: { maxShards: '1', memoryToLinkRatio: '1', memorySeconds: 's', linkSeconds: 's', bound: 'verdict' },
    by: { memoryToLinkRatio, memoryBoundTensorParallelism, decodeMatmul },
    evaluate: (v) => {
      const beta = memoryToLinkRatio(v)
      const { memorySeconds, linkSeconds, bound } = decodeMatmul(v)
      const maxShards = memoryBoundTensorParallelism({ ...v, memoryToLinkRatio: beta })
      return { maxShards, memoryToLinkRatio: beta, memorySeconds, linkSeconds, bound }
    },
  }),
  I8: formula({
    title: 'sharding of the KV cache',
    text: 'heads first (<= K ways), then batch (2 AllToAll per attention layer), then context (AllGather and combine)',
    variables: {
      shards: number('1', 'chips the cache is shared out over'),
      kvHeads,
      queryHeads: number('1', 'query heads, N'),
      headDim,
      batch,
      activationBytes: number('B', 'bytes per element of queries and outputs', 2),
      linkBytesPerSecond,
    },
    outputs: {
      headWays: '1',
      batchWays: '1',
      sequenceWays: '1',
      collectives: 'verdict',
      collectiveBytes: 'B',
      secondsPerLayer: 's',
    },
    valid: 'rings of one axis, not latency-bound',
    by: { kvSharding, kvCollectiveSeconds },
    evaluate: (v) => {
      const { collectives, ...ways } = kvSharding(v)
      return {
        ...ways,
        collectives: collectives.map(({ kind, of }) => `${kind} of ${of}`),
        collectiveBytes: collectives.map(({ bytes }) => bytes),
        secondsPerLayer: kvCollectiveSeconds({ collectives, linkBytesPerSecond: v.linkBytesPerSecond }),
      }
    },
  }),
  I9: formula({
    title: 'two-dimensional weight-stationary sharding',
    text: 'T = 2BD/(X W) + 4BF/(YZ W), X = sqrt(N D/(2F)); beats one dimension on 3 axes iff N > 32 (F/D)(3/4)^2',
    variables: {
      chips,
      batchTokens,
      dModel,
      dFf,
      linkBytesPerSecond,
      axes: number('1', 'hardware axes of the one-dimensional alternative', 3),
      bytesPerElement: number('B', 'bytes per activation', 2),
    },
    outputs: {
      modelShards: '1',
      feedForwardShards: '1',
      twoDimensionalSeconds: 's',
      oneDimensionalSeconds: 's',
      better: 'verdict',
      minChips: '1',
      commsConstant: '1',
    },
    by: { weightStationaryChoice, twoDimensionalMinChips },
    evaluate: (v) => ({
      ...weightStationaryChoice(v),
      ...twoDimensionalMinChips({ dFfPerDModel: v.dFf / v.dModel, axes: v.axes }),
    }),
  }),
  I10: formula({
    title: 'latency-bound communication',
    text: 'bytes/n_shards < W_oneway * t_hop; 8-way: 360 kB; int8 tensor parallelism: Y > BD/45000',
    variables: {
      shards: number('1', 'chips of the collective'),
      onewayBytesPerSecond,
      hopSeconds,
      batchTokens,
      dModel,
      bytesPerElement: number('B', 'bytes per activation', 1),
    },
    outputs: { arrayBytes: 'B', tensorShards: '1' },
    by: { latencyBoundArrayBytes, latencyBoundTensorParallelism },
    evaluate: (v) => ({ arrayBytes: latencyBoundArrayBytes(v), tensorShards: latencyBoundTensorParallelism(v) }),
  }),
  I11: formula({
    title: 'speculative decoding',
    text: 'expected tokens a step = 1 + a + ... + a^K; best K maximises them over T_target + K T_draft',
    variables: {
      acceptance: number('1', 'probability that a drafted token is accepted, a'),
      draftTokens: number('1', 'tokens drafted in a step, K'),
      targetStepSeconds: number('s', 'a step of the target model'),
      draftStepSeconds: number('s', 'a step of the drafter'),
      verifySecondsPerDraftToken: number('s', 'added to the verifying pass by each drafted token', 0),
      maxDraftTokens: number('1', 'longest draft considered', 16),
    },
    outputs: {
      expectedTokens: '1',
      stepSeconds: 's',
      tokensPerSecond: 'tokens/s',
      speedup: '1',
      bestDraftTokens: '1',
      bestSpeedup: '1',
    },
    valid: 'independent acceptance; the book gives no closed form',
    by: { speculativeDecoding, bestDraftLength },
    evaluate: (v) => {
      const best = bestDraftLength(v)
      return { ...speculativeDecoding(v), bestDraftTokens: best.draftTokens, bestSpeedup: best.speedup }
    },
  }),
  I12: formula({
    title: 'sharding of prefill',
    text: 'tensor parallelism up to F/alpha ways per axis, then the sequence',
    variables: {
      chips,
      dFf,
      criticalIntensity: number('FLOP/B', 'alpha = C/W_ici: 2200 on v5e (2550 in the edition of February 2025)'),
      axes: number('1', 'hardware axes tensor parallelism spans', 1),
      bytesPerElement: number('B', 'bytes per activation', 2),
    },
    outputs: { maxTensorWays: '1', tensorWays: '1', sequenceWays: '1' },
    by: { prefillSharding },
    evaluate: prefillSharding,
  }),
  I13: formula({
    title: 'critical batch of a mixture of experts in decode',
    text: 'B > (E/k) B_crit',
    variables: {
      experts: number('1', 'experts, E'),
      expertsPerToken: number('1', 'experts a token visits, k'),
      peakFlopsPerSecond,
      hbmBytesPerSecond,
      weightBytes,
    },
    outputs: { criticalBatchTokens: 'tokens' },
    by: { moeCriticalBatchTokens, criticalBatch },
    evaluate: (v) => ({
      criticalBatchTokens: moeCriticalBatchTokens({
        ...v,
        denseCriticalBatchTokens: criticalBatch(v.peakFlopsPerSecond, v.hbmBytesPerSecond, v.weightBytes),
      }),
    }),
  }),
  I14: formula({
    title: 'where throughput saturates',
    text: 'B*KV ~ params_bytes; ratio ~ 2DF/(SHK) ~ F/S',
    variables: {
      paramBytes,
      kvBytesPerSequence: kvBytes,
      chips,
      hbmBytesPerSecond,
      dModel,
      dFf,
      contextTokens,
      kvHeads,
      headDim,
    },
    outputs: {
      saturationBatch: '1',
      cachesToExceedParams: '1',
      limitTokensPerSecond: 'tokens/s',
      ruleOfThumbBatch: '1',
    },
    by: { throughputSaturation, saturationBatchRule },
    evaluate: (v) => ({ ...throughputSaturation(v), ruleOfThumbBatch: saturationBatchRule(v) }),
  }),
})
