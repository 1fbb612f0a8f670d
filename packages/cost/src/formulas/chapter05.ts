import { criticalIntensity } from '../rooflines/index.ts'
import {
  acrossSlicesBackward,
  axisOverlaps,
  bestFsdpShards,
  dataParallelBackward,
  dataParallelMinTokensPerChip,
  dataParallelRegime,
  fsdpForward,
  layerTraffic,
  maxParamsOfDataParallelism,
  maxTensorParallelism,
  microbatchesForIdleShare,
  minDffForTensorParallelism,
  minTokensPerSlice,
  mixedForward,
  mixedRegime,
  mlpCheckpointBytes,
  pipelineBubble,
  sequenceLimitedDataParallelism,
  stageHopSeconds,
  tensorParallelForward,
  trainingMemory,
  trainingScheme,
  trainingSecondsForTokens,
  trainingStateBytes,
  trainingStrategies,
} from '../training/index.ts'
import { savedActivationBytes } from '../transformer/index.ts'
import { choice } from './choice.ts'
import { chapter, formula, number } from './formula.ts'

const batchTokens = number('tokens', 'batch over all chips, B')
const dModel = number('1', 'model dimension, D')
const dFf = number('1', 'feed-forward dimension, F')
const chips = number('1', 'chips, N')
const layers = number('1', 'layers, L')
const peakFlopsPerSecond = number('FLOP/s', 'peak of one chip for the compute dtype, C')
const linkBytesPerSecond = number('B/s', 'one axis, both directions, W')
const bytesPerElement = number('B', 'bytes per weight and activation', 2)
const alpha = number('FLOP/B', 'critical intensity of the link, alpha = C/W')
const axesProduct = number('1', 'M_X M_Y: 2 on a 3D torus, 1 on a 2D torus', 2)
const utilisation = number('1', 'model FLOPs utilisation, above 0 and at most 1')
const axes = (of: string) => number('1', `hardware axes that ${of} spans`, 1)
const shards = (of: string) => number('1', `ways ${of} is split`)
const times = { mathSeconds: 's', commsSeconds: 's', seconds: 's', verdict: 'verdict' } as const

const overlap = choice(
  'overlap',
  'whether collectives on different axes overlap: overlapped in the latest edition, serial in that of February 2025',
  axisOverlaps,
  'overlapped',
)
const strategy = choice('strategy', 'how the layer is sharded', trainingStrategies, 'mixed')

export const chapter05 = chapter(5, 'Training', {
  T1: formula({
    title: 'bytes of weights and optimizer state',
    text: 'Adam: 10 per parameter (2 bf16 + 4 + 4 fp32); largest model by pure data parallelism = HBM/10',
    variables: {
      params: number('1', 'parameters'),
      hbmBytesPerChip: number('B', 'HBM of one chip'),
      weightBytesPerParam: number('B', 'bytes per weight', 2),
      optimizerBytesPerParam: number('B', 'bytes of optimizer state per parameter', 8),
    },
    outputs: { weightBytes: 'B', optimizerBytes: 'B', totalBytes: 'B', maxParams: '1' },
    valid: 'no activations',
    by: { trainingStateBytes, maxParamsOfDataParallelism },
    evaluate: (v) => ({
      ...trainingStateBytes(v),
      maxParams: maxParamsOfDataParallelism({
        hbmBytes: v.hbmBytesPerChip,
        bytesPerParam: v.weightBytesPerParam + v.optimizerBytesPerParam,
      }),
    }),
  }),
  T2: formula({
    title: 'data parallelism: a layer, backward',
    text: 'T_math = 8BDF/(XC), T_comms = 8DF/(W M_X); compute-bound iff B/X > alpha/M_X',
    variables: {
      batchTokens,
      dModel,
      dFf,
      shards: shards('the batch'),
      axes: axes('it'),
      peakFlopsPerSecond,
      linkBytesPerSecond,
      bytesPerElement,
    },
    outputs: { ...times, minTokensPerChip: 'tokens' },
    by: { dataParallelBackward, dataParallelMinTokensPerChip },
    evaluate: (v) => ({
      ...dataParallelBackward(v),
      minTokensPerChip: dataParallelMinTokensPerChip({
        ...v,
        criticalIntensity: criticalIntensity(v.peakFlopsPerSecond, v.linkBytesPerSecond),
      }),
    }),
  }),
  T3: formula({
    title: 'fully sharded data parallelism: a layer, forward',
    text: 'T_math = 4BDF/(XC), T_comms = 4DF/(W M_X); same bound as data parallelism',
    variables: {
      batchTokens,
      dModel,
      dFf,
      shards: shards('the batch'),
      axes: axes('it'),
      peakFlopsPerSecond,
      linkBytesPerSecond,
      bytesPerElement,
    },
    outputs: { ...times, minTokensPerChip: 'tokens', minBatchTokens: 'tokens', maxChips: '1' },
    by: { fsdpForward, dataParallelRegime },
    evaluate: (v) => {
      const alphaOfLink = criticalIntensity(v.peakFlopsPerSecond, v.linkBytesPerSecond)
      const regime = dataParallelRegime({ ...v, chips: v.shards, criticalIntensity: alphaOfLink })
      const { minTokensPerChip, minBatchTokens, maxChips } = regime
      return { ...fsdpForward(v), minTokensPerChip, minBatchTokens, maxChips }
    },
  }),
  T4: formula({
    title: 'tensor parallelism: a layer, forward',
    text: 'T_math = 4BDF/(YC), T_comms = 4BD/(W M_Y); compute-bound iff Y < M_Y F/alpha',
    variables: {
      batchTokens,
      dModel,
      dFf,
      shards: shards('the feed-forward dimension'),
      axes: axes('it'),
      peakFlopsPerSecond,
      linkBytesPerSecond,
      bytesPerElement,
    },
    outputs: { ...times, maxShards: '1', minDff: '1' },
    valid: 'independent of the batch and of the precision',
    by: { tensorParallelForward, maxTensorParallelism, minDffForTensorParallelism },
    evaluate: (v) => {
      const limit = { ...v, criticalIntensity: criticalIntensity(v.peakFlopsPerSecond, v.linkBytesPerSecond) }
      return {
        ...tensorParallelForward(v),
        maxShards: maxTensorParallelism(limit),
        minDff: minDffForTensorParallelism({ ...limit, ways: v.shards }),
      }
    },
  }),
  T5: formula({
    title: 'mixed parallelism: a layer, forward',
    text: 'T_fsdp = 4DF/(Y W M_X), T_tp = 4BD/(X W M_Y), T_math = 4BDF/(N C), N = XY',
    variables: {
      batchTokens,
      dModel,
      dFf,
      fsdpShards: shards('the batch'),
      tensorShards: shards('the feed-forward dimension'),
      fsdpAxes: number('1', 'M_X', 2),
      tensorAxes: number('1', 'M_Y', 1),
      peakFlopsPerSecond,
      linkBytesPerSecond,
      bytesPerElement,
      overlap: overlap.variable,
    },
    outputs: { ...times, fsdpSeconds: 's', tensorSeconds: 's' },
    by: { mixedForward },
    evaluate: (v) => ({ ...mixedForward({ ...v, overlap: overlap.read(v.overlap) }) }),
  }),
  T6: formula({
    title: 'best split between the two',
    text: 'X_opt = sqrt((B/F)(M_X/M_Y) N), Y = N/X',
    variables: {
      batchTokens,
      dFf,
      chips,
      fsdpAxes: number('1', 'M_X', 2),
      tensorAxes: number('1', 'M_Y', 1),
    },
    outputs: {
      unboundedFsdpShards: '1',
      fsdpShards: '1',
      tensorShards: '1',
      roundedFsdpShards: '1',
      roundedTensorShards: '1',
      pure: 'verdict',
    },
    valid: 'same optimum whether collectives overlap or not; X kept between 1 and N',
    by: { bestFsdpShards },
    evaluate: bestFsdpShards,
  }),
  T7: formula({
    title: 'threshold of mixed parallelism, axes overlapped',
    text: 'compute-bound iff B/N > alpha^2/(M_X M_Y F); T_math/T_comms = sqrt(B F M_X M_Y)/(alpha sqrt(N))',
    variables: { batchTokens, chips, criticalIntensity: alpha, dFf, axesProduct, bytesPerElement },
    outputs: {
      tokensPerChip: 'tokens',
      minTokensPerChip: 'tokens',
      minBatchTokens: 'tokens',
      mathOverComms: '1',
      verdict: 'verdict',
    },
    valid: 'at the best split; the latest edition',
    by: { mixedRegime },
    evaluate: (v) => mixedRegime({ ...v, overlap: 'overlapped' }),
  }),
  T8: formula({
    title: 'threshold of mixed parallelism, axes one after the other',
    text: 'compute-bound iff B/N > 4 alpha^2/(M_X M_Y F)',
    variables: { batchTokens, chips, criticalIntensity: alpha, dFf, axesProduct, bytesPerElement },
    outputs: {
      tokensPerChip: 'tokens',
      minTokensPerChip: 'tokens',
      minBatchTokens: 'tokens',
      mathOverComms: '1',
      verdict: 'verdict',
    },
    valid: 'at the best split; the edition of February 2025; four times stricter than T7',
    by: { mixedRegime },
    evaluate: (v) => mixedRegime({ ...v, overlap: 'serial' }),
  }),
  T9: formula({
    title: 'which scheme stays compute-bound',
    text: 'pure FSDP above alpha/axes tokens a chip, mixed above T7 (T8), tensor alone below M_Y F/alpha chips',
    variables: {
      batchTokens,
      chips,
      dFf,
      criticalIntensity: alpha,
      axes: number('1', 'hardware axes of the torus', 3),
      overlap: overlap.variable,
    },
    outputs: {
      scheme: 'verdict',
      verdict: 'verdict',
      tokensPerChip: 'tokens',
      fsdpMinTokensPerChip: 'tokens',
      mixedMinTokensPerChip: 'tokens',
      maxTensorShards: '1',
    },
    by: { trainingScheme },
    evaluate: (v) => trainingScheme({ ...v, overlap: overlap.read(v.overlap) }),
  }),
  T10: formula({
    title: 'FLOPs and collective bytes of a layer by strategy',
    text: '4+8 BDF/shards; data 8DF, FSDP 4DF+8DF, tensor 4BD+4BD, mixed (4BD/X+4DF/Y)+(8BD/X+8DF/Y)',
    variables: {
      strategy: strategy.variable,
      batchTokens,
      dModel,
      dFf,
      fsdpShards: number('1', 'ways the batch is split, X', 1),
      tensorShards: number('1', 'ways the feed-forward dimension is split, Y', 1),
      bytesPerElement,
    },
    outputs: {
      forwardFlopsPerChip: 'FLOP',
      backwardFlopsPerChip: 'FLOP',
      forwardCommsBytes: 'B',
      backwardCommsBytes: 'B',
    },
    valid: 'the mixed row of the book disagrees with its tensor row on backward activations; both as printed',
    by: { layerTraffic },
    evaluate: (v) => layerTraffic({ ...v, strategy: strategy.read(v.strategy) }),
  }),
  T11: formula({
    title: 'data parallelism across slices',
    text: 'T_math = 8BDF/(N C), T_comms = 8DF/(M W_dcn); compute-bound iff B/slice > C/W_dcn',
    variables: {
      batchTokens: number('tokens', 'batch over all slices, B'),
      dModel,
      dFf,
      slices: number('1', 'slices'),
      chipsPerSlice: number('1', 'chips of a slice, M'),
      peakFlopsPerSecond,
      dcnBytesPerSecondPerChip: number('B/s', 'share of one chip in the data-centre network'),
      bytesPerElement,
    },
    outputs: { ...times, minTokensPerSlice: 'tokens' },
    by: { acrossSlicesBackward, minTokensPerSlice },
    evaluate: (v) => ({
      ...acrossSlicesBackward(v),
      minTokensPerSlice: minTokensPerSlice({ ...v, dcnBytesPerSecond: v.dcnBytesPerSecondPerChip }),
    }),
  }),
  T12: formula({
    title: 'bytes of checkpoints',
    text: 'after the three MLP matmuls 2L*B*(D+2F); n residual saves 2*n*L*B*D',
    variables: {
      layers,
      batchTokens,
      dModel,
      dFf,
      savedArrays: number('1', 'residual saves per layer, n', 1),
      bytesPerElement,
    },
    outputs: { mlpCheckpointBytes: 'B', residualCheckpointBytes: 'B' },
    by: { mlpCheckpointBytes, savedActivationBytes },
    evaluate: (v) => ({
      mlpCheckpointBytes: mlpCheckpointBytes(v),
      residualCheckpointBytes: savedActivationBytes({ ...v, tokens: v.batchTokens }),
    }),
  }),
  T13: formula({
    title: 'time of training',
    text: 'T = 6*params*tokens/(chips*C*MFU); of a step with the tokens of its batch',
    variables: {
      activatedParams: number('1', 'parameters one token uses'),
      tokens: number('tokens', 'tokens of the run, or of a step'),
      chips,
      peakFlopsPerSecond,
      utilisation,
    },
    outputs: { seconds: 's' },
    by: { trainingSecondsForTokens },
    evaluate: (v) => ({ seconds: trainingSecondsForTokens(v) }),
  }),
  T14: formula({
    title: 'least chips by memory',
    text: 'ceil((10*params + checkpoints)/HBM)',
    variables: {
      params: number('1', 'parameters'),
      checkpointBytes: number('B', 'bytes of saved activations (T12)', 0),
      hbmBytesPerChip: number('B', 'HBM of one chip'),
      weightBytesPerParam: number('B', 'bytes per weight', 2),
      optimizerBytesPerParam: number('B', 'bytes of optimizer state per parameter', 8),
    },
    outputs: {
      weightBytes: 'B',
      optimizerBytes: 'B',
      totalBytes: 'B',
      minChips: '1',
      dataParallelFits: 'bool',
    },
    valid: 'everything sharded over all chips',
    by: { trainingMemory },
    evaluate: (v) => ({ ...trainingMemory(v) }),
  }),
  T15: formula({
    title: 'pipelining',
    text: 'bubble (stages-1)/(microbatches+stages-1) of a step; one activation a stage and microbatch',
    variables: {
      stages: number('1', 'pipeline stages'),
      microbatches: number('1', 'microbatches of a step'),
      wantedIdleShare: number('1', 'idle share not to exceed', 0.1),
      microbatchTokens: number('tokens', 'tokens of a microbatch', 1),
      dModel,
      onewayBytesPerSecond: number('B/s', 'link between stages, one direction'),
      bytesPerElement,
    },
    outputs: { idleShare: '1', slowdown: '1', microbatchesForWantedShare: '1', hopSeconds: 's' },
    valid: 'the book gives no closed form; the plain schedule, not interleaved',
    by: { pipelineBubble, microbatchesForIdleShare, stageHopSeconds },
    evaluate: (v) => ({
      ...pipelineBubble(v),
      microbatchesForWantedShare: microbatchesForIdleShare({ stages: v.stages, idleShare: v.wantedIdleShare }),
      hopSeconds: stageHopSeconds(v),
    }),
  }),
  T16: formula({
    title: 'data parallelism without sequence sharding',
    text: 'ways <= tokens/seq_len',
    variables: { batchTokens, tokensPerSequence: number('tokens', 'length of a sequence'), chips },
    outputs: { sequences: '1', maxShards: '1', feasible: 'bool' },
    by: { sequenceLimitedDataParallelism },
    evaluate: sequenceLimitedDataParallelism,
  }),
})
