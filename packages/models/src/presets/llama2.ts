import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

const common = {
  vocabSize: 32000,
  tiedEmbeddings: false,
  maxContextTokens: 4096,
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 0.6, topP: 0.9 },
} as const

export const llama2_7b = definePreset({
  name: 'llama-2-7b',
  aliases: ['meta-llama/Llama-2-7b-chat-hf'],
  title: 'meta-llama/Llama-2-7b-hf',
  hiddenSize: 4096,
  layers: repeat(32, denseLayer({ queryHeads: 32, kvHeads: 32, headDim: 128 }, 11008)),
  ...common,
  source: 'config.json of meta-llama/Llama-2-7b-hf',
})

export const llama2_13b = definePreset({
  name: 'llama-2-13b',
  aliases: ['meta-llama/Llama-2-13b-chat-hf'],
  title: 'meta-llama/Llama-2-13b-hf',
  hiddenSize: 5120,
  layers: repeat(40, denseLayer({ queryHeads: 40, kvHeads: 40, headDim: 128 }, 13824)),
  ...common,
  source: 'config.json of meta-llama/Llama-2-13b-hf',
})

export const llama2_70b = definePreset({
  name: 'llama-2-70b',
  aliases: ['meta-llama/Llama-2-70b-chat-hf', 'llama2-70b'],
  title: 'meta-llama/Llama-2-70b-hf',
  hiddenSize: 8192,
  layers: repeat(80, denseLayer({ queryHeads: 64, kvHeads: 8, headDim: 128 }, 28672)),
  ...common,
  source: 'config.json of meta-llama/Llama-2-70b-hf',
})
