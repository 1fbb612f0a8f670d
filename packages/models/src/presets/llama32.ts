import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

const common = {
  vocabSize: 128256,
  tiedEmbeddings: true,
  maxContextTokens: 131072,
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 0.6, topP: 0.9 },
} as const

export const llama32_1b = definePreset({
  name: 'llama-3.2-1b',
  aliases: ['meta-llama/Llama-3.2-1B-Instruct'],
  title: 'meta-llama/Llama-3.2-1B',
  hiddenSize: 2048,
  layers: repeat(16, denseLayer({ queryHeads: 32, kvHeads: 8, headDim: 64 }, 8192)),
  ...common,
  source: 'config.json of meta-llama/Llama-3.2-1B',
})

export const llama32_3b = definePreset({
  name: 'llama-3.2-3b',
  aliases: ['meta-llama/Llama-3.2-3B-Instruct'],
  title: 'meta-llama/Llama-3.2-3B',
  hiddenSize: 3072,
  layers: repeat(28, denseLayer({ queryHeads: 24, kvHeads: 8, headDim: 128 }, 8192)),
  ...common,
  source: 'config.json of meta-llama/Llama-3.2-3B',
})
