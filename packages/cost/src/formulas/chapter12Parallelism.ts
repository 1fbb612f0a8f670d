import {
  expertParallelMinDff,
  expertParallelTimes,
  fewNodesFactor,
  gpuDataParallelMinTokens,
  gpuTensorParallelLimit,
  pipelineHops,
  twoNodeTensorParallelLimit,
} from '../gpu/index.ts'
import { dataParallelBackward } from '../training/index.ts'
import { formula, number } from './formula.ts'

const peakFlopsPerSecond = number('FLOP/s', 'peak of one GPU for the compute dtype')
const collectiveBytesPerSecond = number('B/s', 'W_coll: egress of a GPU in a node, of a node across nodes')
const dFf = number('1', 'F, feed-forward dimension')
const dModel = number('1', 'D, model dimension')
const batchTokens = number('tokens', 'B, tokens of the global batch')

/** G17 to G23: what parallel training of a layer needs on GPUs. */
export const gpuParallelismFormulas = {
  G17: formula({
    title: 'data parallelism on GPUs',
    text: '8BDF/(XC) vs 8DF/W_coll: B/X > C/W_coll',
    variables: { peakFlopsPerSecond, collectiveBytesPerSecond, batchTokens, dModel, dFf, gpus: number('1', 'X, GPUs') },
    outputs: { minTokensPerGpu: 'tokens', mathSeconds: 's', commsSeconds: 's', verdict: 'verdict' },
    valid: 'without reduction in the network',
    by: { gpuDataParallelMinTokens, dataParallelBackward },
    evaluate: (v) => ({
      ...gpuDataParallelMinTokens(v),
      ...dataParallelBackward({ ...v, shards: v.gpus, axes: 1, linkBytesPerSecond: v.collectiveBytesPerSecond }),
    }),
  }),
  G18: formula({
    title: 'data parallelism of a mixture of experts',
    text: 'B/X > (E/k) C/W_coll',
    variables: {
      peakFlopsPerSecond,
      collectiveBytesPerSecond,
      experts: number('1', 'E, experts'),
      expertsPerToken: number('1', 'k, experts of a token'),
    },
    outputs: { minTokensPerGpu: 'tokens' },
    by: { gpuDataParallelMinTokens },
    evaluate: gpuDataParallelMinTokens,
  }),
  G19: formula({
    title: 'data parallelism over few nodes',
    text: 'threshold x (X-1)/X',
    variables: {
      peakFlopsPerSecond,
      collectiveBytesPerSecond,
      dataParallelNodes: number('1', 'X, nodes'),
    },
    outputs: { minTokensPerGpu: 'tokens', factor: '1' },
    by: { gpuDataParallelMinTokens, fewNodesFactor },
    evaluate: (v) => ({ ...gpuDataParallelMinTokens(v), factor: fewNodesFactor(v.dataParallelNodes) }),
  }),
  G20: formula({
    title: 'tensor parallelism on GPUs',
    text: 'Y < F W_coll/C; over 2 nodes F > alpha (Y-8)',
    variables: { dFf, peakFlopsPerSecond, collectiveBytesPerSecond, gpusPerNode: number('1', 'GPUs of a node', 8) },
    outputs: { ways: '1', twoNodeWays: '1' },
    by: { gpuTensorParallelLimit, twoNodeTensorParallelLimit },
    evaluate: (v) => ({ ways: gpuTensorParallelLimit(v), twoNodeWays: twoNodeTensorParallelLimit(v) }),
  }),
  G21: formula({
    title: 'expert parallelism across nodes',
    text: 'T_math = 4BkDF/(ZC); T_comms = 4BD(Z-8)/(WZ) min(8k/Z,1); F > alpha(Z-8)/k, or F > 8 alpha when Z >> k',
    variables: {
      batchTokens,
      dModel,
      dFf: number('1', 'F of one expert'),
      expertsPerToken: number('1', 'k, experts of a token'),
      expertGpus: number('1', 'Z, GPUs that share the experts'),
      peakFlopsPerSecond,
      collectiveBytesPerSecond,
      gpusPerNode: number('1', 'GPUs of a node', 8),
    },
    outputs: {
      mathSeconds: 's',
      commsSeconds: 's',
      minDff: '1',
      narrowMinDff: '1',
      wideMinDff: '1',
      computeBound: 'bool',
    },
    valid: 'narrow: k > Z/8; wide: Z much larger than k',
    by: { expertParallelTimes, expertParallelMinDff },
    evaluate: (v) => {
      const { mathSeconds, moveSeconds, bound } = expertParallelTimes(v)
      const computeBound = bound === 'compute'
      return { ...expertParallelMinDff(v), mathSeconds, commsSeconds: moveSeconds, computeBound }
    },
  }),
  G22: formula({
    title: 'communication of pipelining',
    text: 'hop 2BD/(W N_MB), N_MB+N_stages-2 hops; per layer about 1.5*2BD/(W L)',
    variables: {
      batchTokens,
      dModel,
      microbatches: number('1', 'N_MB'),
      stages: number('1', 'N_stages'),
      layers: number('1', 'L'),
      bytesPerSecond: number('B/s', 'W between stages'),
    },
    outputs: {
      hops: '1',
      hopSeconds: 's',
      totalSeconds: 's',
      perLayerSeconds: 's',
      perLayerRoundedSeconds: 's',
    },
    by: { pipelineHops },
    evaluate: pipelineHops,
  }),
  G23: formula({
    title: 'data parallelism of a model spread over n nodes',
    text: 'threshold / n',
    variables: {
      peakFlopsPerSecond,
      collectiveBytesPerSecond,
      modelNodes: number('1', 'n, nodes that one replica spans'),
    },
    outputs: { minTokensPerGpu: 'tokens', collectiveBytesPerSecond: 'B/s' },
    by: { gpuDataParallelMinTokens },
    evaluate: gpuDataParallelMinTokens,
  }),
}
