import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

export const yi34b = definePreset({
  name: 'yi-34b',
  aliases: ['01-ai/Yi-34B-Chat'],
  title: '01-ai/Yi-34B',
  hiddenSize: 7168,
  vocabSize: 64000,
  tiedEmbeddings: false,
  maxContextTokens: 4096,
  layers: repeat(60, denseLayer({ queryHeads: 56, kvHeads: 8, headDim: 128 }, 20480)),
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 0.6, topP: 0.8 },
  source: 'config.json of 01-ai/Yi-34B',
})
