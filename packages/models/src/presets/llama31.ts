import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

const common = {
  vocabSize: 128256,
  tiedEmbeddings: false,
  maxContextTokens: 131072,
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 0.6, topP: 0.9 },
} as const

export const llama31_8b = definePreset({
  name: 'llama-3.1-8b',
  aliases: ['meta-llama/Llama-3.1-8B-Instruct', 'nvidia/Llama-3.1-8B-Instruct-FP8', 'llama-3-8b'],
  title: 'meta-llama/Llama-3.1-8B',
  hiddenSize: 4096,
  layers: repeat(32, denseLayer({ queryHeads: 32, kvHeads: 8, headDim: 128 }, 14336)),
  ...common,
  source: 'config.json of meta-llama/Llama-3.1-8B',
})

export const llama31_70b = definePreset({
  name: 'llama-3.1-70b',
  aliases: ['meta-llama/Llama-3.1-70B-Instruct', 'llama-3-70b', 'llama-3.3-70b'],
  title: 'meta-llama/Llama-3.1-70B',
  hiddenSize: 8192,
  layers: repeat(80, denseLayer({ queryHeads: 64, kvHeads: 8, headDim: 128 }, 28672)),
  ...common,
  source: 'config.json of meta-llama/Llama-3.1-70B',
})

export const llama31_405b = definePreset({
  name: 'llama-3.1-405b',
  aliases: ['meta-llama/Llama-3.1-405B-Instruct', 'llama-3-405b'],
  title: 'meta-llama/Llama-3.1-405B',
  hiddenSize: 16384,
  layers: repeat(126, denseLayer({ queryHeads: 128, kvHeads: 8, headDim: 128 }, 53248)),
  ...common,
  source: 'config.json of meta-llama/Llama-3.1-405B',
})
