import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

const common = { tiedEmbeddings: false, norm: 'rms', normsPerLayer: 2 } as const
const heads = { queryHeads: 32, kvHeads: 8, headDim: 128 } as const

export const mistral7b = definePreset({
  name: 'mistral-7b',
  aliases: ['mistral-7b-v0.3', 'mistralai/Mistral-7B-Instruct-v0.3'],
  title: 'mistralai/Mistral-7B-v0.3',
  hiddenSize: 4096,
  vocabSize: 32768,
  maxContextTokens: 32768,
  layers: repeat(32, denseLayer(heads, 14336)),
  ...common,
  source: 'config.json of mistralai/Mistral-7B-v0.3',
})

export const mistralNemo = definePreset({
  name: 'mistral-nemo-12b',
  aliases: ['mistral-nemo', 'mistralai/Mistral-Nemo-Instruct-2407'],
  title: 'mistralai/Mistral-Nemo-Base-2407',
  hiddenSize: 5120,
  vocabSize: 131072,
  maxContextTokens: 131072,
  layers: repeat(40, denseLayer(heads, 14336)),
  ...common,
  source: 'config.json of mistralai/Mistral-Nemo-Base-2407',
})

export const mistralSmall24b = definePreset({
  name: 'mistral-small-24b',
  aliases: ['mistralai/Mistral-Small-24B-Instruct-2501'],
  title: 'mistralai/Mistral-Small-24B-Base-2501',
  hiddenSize: 5120,
  vocabSize: 131072,
  maxContextTokens: 32768,
  layers: repeat(40, denseLayer(heads, 32768)),
  ...common,
  source: 'config.json of mistralai/Mistral-Small-24B-Base-2501',
})

export const mistralLarge = definePreset({
  name: 'mistral-large-123b',
  title: 'mistralai/Mistral-Large-Instruct-2407',
  hiddenSize: 12288,
  vocabSize: 32768,
  maxContextTokens: 131072,
  layers: repeat(88, denseLayer({ queryHeads: 96, kvHeads: 8, headDim: 128 }, 28672)),
  ...common,
  source: 'config.json of mistralai/Mistral-Large-Instruct-2407',
})
