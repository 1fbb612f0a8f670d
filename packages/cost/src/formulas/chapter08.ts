import { decodeMatmul } from '../inference/index.ts'
import {
  cacheTurnover,
  decodeSeconds,
  flopsPerDollar,
  freeBytes,
  fullMemoryStepSeconds,
  kvEqualsMathTokens,
  largestBatch,
  minChipsForWeightLatency,
  prefillSeconds,
  prefillToGenerateRatio,
  requestRate,
  servingBytes,
  servingPoint,
  smallestSlice,
  usdPerMillionTokens,
} from '../serving/index.ts'
import { chapter, formula, number } from './formula.ts'

const batch = number('1', 'sequences that decode, B')
const chips = number('1', 'chips, N')
const paramBytes = number('B', 'bytes of the weights')
const activatedParams = number('1', 'parameters one token uses')
const kvBytesPerToken = number('B', 'KV cache of one token')
const kvBytesPerSequence = number('B', 'KV cache of one sequence')
const contextTokens = number('tokens', 'tokens of a sequence, S')
const hbmBytesPerChip = number('B', 'HBM of one chip')
const hbmBytesPerSecond = number('B/s', 'HBM bandwidth of one chip, W')
const peakFlopsPerSecond = number('FLOP/s', 'peak of one chip for the compute dtype, C')
const usdPerHour = number('USD/h', 'price of one chip')
const stepSeconds = number('s', 'time of a decode step')
const outputTokens = number('tokens', 'output of a request, G')

export const chapter08 = chapter(8, 'Serving LLaMA 3', {
  S1: formula({
    title: 'FLOPs per dollar',
    text: 'C*3600/price_per_hour',
    variables: { peakFlopsPerSecond, usdPerHour },
    outputs: { flopsPerUsd: 'FLOP/USD', flopsPerSecondPerUsdHour: '(FLOP/s)/(USD/h)' },
    by: { flopsPerDollar },
    evaluate: flopsPerDollar,
  }),
  S2: formula({
    title: 'largest batch by memory',
    text: 'floor((chips*HBM - params_bytes)/(KV_per_token*context))',
    variables: { chips, hbmBytesPerChip, paramBytes, kvBytesPerToken, contextTokens },
    outputs: { batch: '1', freeBytes: 'B', freeBytesPerChip: 'B' },
    by: { largestBatch, freeBytes },
    evaluate: (v) => ({
      batch: largestBatch({ ...v, kvBytesPerSequence: v.kvBytesPerToken * v.contextTokens }),
      ...freeBytes(v),
    }),
  }),
  S3: formula({
    title: 'smallest slice',
    text: 'ceil(bytes/HBM), rounded up to a power of two',
    variables: {
      paramBytes,
      kvBytesPerSequence,
      batch: number('1', 'sequences whose caches are kept', 0),
      hbmBytesPerChip,
      hbmBytesPerSecond,
      limitSeconds: number('s', 'time in which the weights have to be read', 1),
    },
    outputs: {
      kvBytes: 'B',
      totalBytes: 'B',
      exactChips: '1',
      minChips: '1',
      sliceChips: '1',
      minChipsForLatency: '1',
    },
    by: { smallestSlice, servingBytes, minChipsForWeightLatency },
    evaluate: (v) => {
      const bytes = servingBytes(v)
      const { exactChips, minChips, sliceChips } = smallestSlice({ ...v, bytes: bytes.totalBytes })
      return { ...bytes, exactChips, minChips, sliceChips, minChipsForLatency: minChipsForWeightLatency(v) }
    },
  }),
  S4: formula({
    title: 'step time when memory is full',
    text: 'HBM/W_hbm, whatever the chips; 19.5 ms on v5e',
    variables: { hbmBytesPerChip, hbmBytesPerSecond, outputTokens: number('tokens', 'output of a request', 1) },
    outputs: { stepSeconds: 's', decodeSeconds: 's' },
    by: { fullMemoryStepSeconds, decodeSeconds },
    evaluate: (v) => {
      const step = fullMemoryStepSeconds(v)
      return { stepSeconds: step, decodeSeconds: decodeSeconds({ ...v, stepSeconds: step }) }
    },
  }),
  S5: formula({
    title: 'requests per second and what a million tokens cost',
    text: 'QPS/chip = B/(T_step*decode_len*chips)',
    variables: { batch, stepSeconds, outputTokens, chips, usdPerHour },
    outputs: { requestsPerSecond: '1/s', requestsPerSecondPerChip: '1/s', usdPerMillionTokens: 'USD' },
    by: { requestRate, usdPerMillionTokens },
    evaluate: (v) => ({
      ...requestRate(v),
      usdPerMillionTokens: usdPerMillionTokens({ ...v, tokensPerSecond: v.batch / v.stepSeconds }),
    }),
  }),
  S6: formula({
    title: 'times of one decode matmul',
    text: 'T_ici = 2BD/W_ici, T_hbm = 2DF/(Y W_hbm), T_math = 2BDF/(Y C)',
    variables: {
      batchTokens: number('tokens', 'tokens in the batch, B'),
      dModel: number('1', 'model dimension, D'),
      dFf: number('1', 'feed-forward dimension, F'),
      shards: number('1', 'ways of tensor parallelism, Y'),
      axes: number('1', 'hardware axes it spans', 1),
      linkBytesPerSecond: number('B/s', 'one axis, both directions, W_ici'),
      hbmBytesPerSecond,
      peakFlopsPerSecond,
      weightBytes: number('B', 'bytes per weight', 2),
      activationBytes: number('B', 'bytes per activation', 2),
    },
    outputs: { linkSeconds: 's', memorySeconds: 's', mathSeconds: 's', seconds: 's', bound: 'verdict' },
    by: { decodeMatmul },
    evaluate: decodeMatmul,
  }),
  S7: formula({
    title: 'time of prefill',
    text: '2*params*tokens/(chips*C*MFU)',
    variables: {
      activatedParams,
      tokens: number('tokens', 'prompt tokens'),
      chips,
      peakFlopsPerSecond,
      utilisation: number('1', 'model FLOPs utilisation, above 0 and at most 1'),
    },
    outputs: { seconds: 's' },
    valid: 'attention over the context left out',
    by: { prefillSeconds },
    evaluate: (v) => ({ seconds: prefillSeconds(v) }),
  }),
  S8: formula({
    title: 'what leaves the batch in a step',
    text: 'B/G sequences end; B(P+G)/G tokens leave the cache',
    variables: { batch, promptTokens: number('tokens', 'prompt of a request, P'), outputTokens },
    outputs: { sequencesPerStep: '1', cacheTokensPerStep: 'tokens' },
    by: { cacheTurnover },
    evaluate: cacheTurnover,
  }),
  S9: formula({
    title: 'prefill servers per generate server',
    text: 'P/G = T_prefill*B/(T_step*decode_len)',
    variables: {
      prefillSeconds: number('s', 'one prefill on one prefill server'),
      batch,
      stepSeconds,
      outputTokens,
    },
    outputs: { ratio: '1' },
    by: { prefillToGenerateRatio },
    evaluate: (v) => ({ ratio: prefillToGenerateRatio(v) }),
  }),
  S10: formula({
    title: 'latency and throughput of a decode step',
    text: 'latency = max(2*params*B/(N C), params_bytes/(N W)) + B*S*kv/(N W); throughput = B/(latency*N)',
    variables: {
      activatedParams,
      paramBytes,
      kvBytesPerToken,
      chips,
      hbmBytesPerSecond,
      peakFlopsPerSecond,
      batch,
      contextTokens,
    },
    outputs: {
      seconds: 's',
      tokensPerSecond: 'tokens/s',
      tokensPerSecondPerChip: 'tokens/s',
      tokensPerMillisecondPerChip: 'tokens/ms',
      kvSeconds: 's',
      matmulBound: 'verdict',
      kvEqualsMathTokens: 'tokens',
    },
    valid: 'communication left out',
    by: { servingPoint, kvEqualsMathTokens },
    evaluate: (v) => ({ ...servingPoint(v), kvEqualsMathTokens: kvEqualsMathTokens(v) }),
  }),
})
