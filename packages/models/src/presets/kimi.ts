import { firstDense } from './deepseek.ts'
import { definePreset } from './definePreset.ts'

export const kimiK2 = definePreset({
  name: 'kimi-k2',
  aliases: ['kimi-k2.5', 'moonshotai/Kimi-K2.5', 'moonshotai/Kimi-K2-Thinking'],
  title: 'moonshotai/Kimi-K2-Instruct',
  hiddenSize: 7168,
  vocabSize: 163840,
  tiedEmbeddings: false,
  maxContextTokens: 262144,
  layers: firstDense(
    61,
    1,
    {
      kind: 'latent',
      queryHeads: 64,
      queryRank: 1536,
      kvRank: 512,
      ropeHeadDim: 64,
      nopeHeadDim: 128,
      valueHeadDim: 128,
    },
    18432,
    {
      kind: 'moe',
      experts: 384,
      expertsPerToken: 8,
      expertIntermediateSize: 2048,
      gated: true,
      sharedExperts: 1,
      sharedExpertIntermediateSize: 2048,
      routerBias: true,
    },
  ),
  norm: 'rms',
  normsPerLayer: 2,
  source: 'config.json of moonshotai/Kimi-K2-Instruct; K2.5 has the same language model',
})
