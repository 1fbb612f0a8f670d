import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'

export const minimaxM2 = definePreset({
  name: 'minimax-m2',
  aliases: ['minimax-m2.1', 'minimax-m2.5', 'MiniMaxAI/MiniMax-M2.5'],
  title: 'MiniMaxAI/MiniMax-M2',
  hiddenSize: 3072,
  vocabSize: 200064,
  tiedEmbeddings: false,
  maxContextTokens: 196608,
  layers: repeat(62, {
    attention: { kind: 'full', queryHeads: 48, kvHeads: 8, headDim: 128, qkNorm: 'all-heads' },
    mlp: {
      kind: 'moe',
      experts: 256,
      expertsPerToken: 8,
      expertIntermediateSize: 1536,
      gated: true,
      sharedExperts: 0,
      routerBias: true,
    },
  }),
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 1, topP: 0.95, topK: 40 },
  source: 'config.json of MiniMaxAI/MiniMax-M2; M2.1 and M2.5 have the same shapes',
})
