import { type Architecture, type Layer, layersBy } from '../architecture.ts'
import type { LatentAttention } from '../layers/attention.ts'
import type { MoeMlp } from '../layers/mlp.ts'
import { definePreset } from './definePreset.ts'

const latent = (queryHeads: number, queryRank: number | undefined): LatentAttention => ({
  kind: 'latent',
  queryHeads,
  ...(queryRank === undefined ? {} : { queryRank }),
  kvRank: 512,
  ropeHeadDim: 64,
  nopeHeadDim: 128,
  valueHeadDim: 128,
})

/** The first `dense` layers have a dense MLP, the others experts. */
export const firstDense = (
  count: number,
  dense: number,
  attention: Layer['attention'],
  intermediateSize: number,
  moe: MoeMlp,
): Layer[] => {
  const first: Layer = { attention, mlp: { kind: 'dense', intermediateSize, gated: true } }
  const rest: Layer = { attention, mlp: moe }
  return layersBy(count, (index) => (index < dense ? first : rest))
}

const common = { tiedEmbeddings: false, norm: 'rms', normsPerLayer: 2 } as const

export const deepseekV2 = definePreset({
  name: 'deepseek-v2',
  aliases: ['deepseek-ai/DeepSeek-V2-Chat', 'deepseek-v2.5'],
  title: 'deepseek-ai/DeepSeek-V2',
  hiddenSize: 5120,
  vocabSize: 102400,
  maxContextTokens: 163840,
  layers: firstDense(60, 1, latent(128, 1536), 12288, {
    kind: 'moe',
    experts: 160,
    expertsPerToken: 6,
    expertIntermediateSize: 1536,
    gated: true,
    sharedExperts: 2,
    sharedExpertIntermediateSize: 1536,
  }),
  ...common,
  source: 'config.json of deepseek-ai/DeepSeek-V2',
})

export const deepseekV2Lite = definePreset({
  name: 'deepseek-v2-lite',
  aliases: ['deepseek-ai/DeepSeek-V2-Lite-Chat'],
  title: 'deepseek-ai/DeepSeek-V2-Lite',
  hiddenSize: 2048,
  vocabSize: 102400,
  maxContextTokens: 163840,
  layers: firstDense(27, 1, latent(16, undefined), 10944, {
    kind: 'moe',
    experts: 64,
    expertsPerToken: 6,
    expertIntermediateSize: 1408,
    gated: true,
    sharedExperts: 2,
    sharedExpertIntermediateSize: 1408,
  }),
  ...common,
  source: 'config.json of deepseek-ai/DeepSeek-V2-Lite',
})

const v3Moe: MoeMlp = {
  kind: 'moe',
  experts: 256,
  expertsPerToken: 8,
  expertIntermediateSize: 2048,
  gated: true,
  sharedExperts: 1,
  sharedExpertIntermediateSize: 2048,
  routerBias: true,
}

const v3: Omit<Architecture, 'name' | 'title' | 'source' | 'layers'> = {
  hiddenSize: 7168,
  vocabSize: 129280,
  maxContextTokens: 163840,
  ...common,
  sampling: { temperature: 0.6, topP: 0.95 },
}

export const deepseekV3 = definePreset({
  name: 'deepseek-v3',
  aliases: [
    'deepseek-r1',
    'deepseek-v3.1',
    'deepseek-ai/DeepSeek-R1',
    'deepseek-ai/DeepSeek-V3.1',
    'nvidia/DeepSeek-R1-NVFP4',
    'nvidia/DeepSeek-V3.1-NVFP4',
  ],
  title: 'deepseek-ai/DeepSeek-V3',
  layers: firstDense(61, 3, latent(128, 1536), 18432, v3Moe),
  ...v3,
  source: 'config.json of deepseek-ai/DeepSeek-V3, without its draft head; R1 and V3.1 have the same shapes',
})

export const deepseekV32 = definePreset({
  name: 'deepseek-v3.2',
  title: 'deepseek-ai/DeepSeek-V3.2',
  layers: firstDense(
    61,
    3,
    { ...latent(128, 1536), indexer: { heads: 64, headDim: 128, topTokens: 2048 } },
    18432,
    v3Moe,
  ),
  ...v3,
  source: 'config.json of deepseek-ai/DeepSeek-V3.2, without its draft head',
})
