import { firstDense } from './deepseek.ts'
import { definePreset } from './definePreset.ts'

const common = { tiedEmbeddings: false, norm: 'rms', normsPerLayer: 2 } as const

const moe = (experts: number, expertIntermediateSize: number) =>
  ({
    kind: 'moe',
    experts,
    expertsPerToken: 8,
    expertIntermediateSize,
    gated: true,
    sharedExperts: 1,
    sharedExpertIntermediateSize: expertIntermediateSize,
    routerBias: true,
  }) as const

export const glm45 = definePreset({
  name: 'glm-4.5',
  aliases: ['zai-org/GLM-4.5', 'glm-4.6', 'glm-4.7'],
  title: 'zai-org/GLM-4.6',
  hiddenSize: 5120,
  vocabSize: 151552,
  maxContextTokens: 202752,
  layers: firstDense(
    92,
    3,
    { kind: 'full', queryHeads: 96, kvHeads: 8, headDim: 128, qkvBias: true, qkNorm: 'per-head' },
    12288,
    moe(160, 1536),
  ),
  ...common,
  source: 'config.json of zai-org/GLM-4.6, without its draft head; 4.5 and 4.7 have the same shapes',
})

export const glm45Air = definePreset({
  name: 'glm-4.5-air',
  title: 'zai-org/GLM-4.5-Air',
  hiddenSize: 4096,
  vocabSize: 151552,
  maxContextTokens: 131072,
  layers: firstDense(
    46,
    1,
    { kind: 'full', queryHeads: 96, kvHeads: 8, headDim: 128, qkvBias: true },
    10944,
    moe(128, 1408),
  ),
  ...common,
  source: 'config.json of zai-org/GLM-4.5-Air, without its draft head',
})

export const glm5 = definePreset({
  name: 'glm-5',
  aliases: ['zhipuai/GLM-5', 'glm-5.1'],
  title: 'zai-org/GLM-5',
  hiddenSize: 6144,
  vocabSize: 154880,
  maxContextTokens: 202752,
  layers: firstDense(
    78,
    3,
    {
      kind: 'latent',
      queryHeads: 64,
      queryRank: 2048,
      kvRank: 512,
      ropeHeadDim: 64,
      nopeHeadDim: 192,
      valueHeadDim: 256,
      indexer: { heads: 32, headDim: 128, topTokens: 2048 },
    },
    12288,
    moe(256, 2048),
  ),
  ...common,
  source: 'config.json of zai-org/GLM-5, without its draft head',
})
