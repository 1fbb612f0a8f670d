import { type Layer, repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

const common = {
  tiedEmbeddings: false,
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 0.7, topP: 0.8, topK: 20 },
} as const

const qwenLayer = (queryHeads: number, kvHeads: number, intermediateSize: number): Layer =>
  denseLayer({ queryHeads, kvHeads, headDim: 128, qkvBias: true }, intermediateSize)

export const qwen25_7b = definePreset({
  name: 'qwen2.5-7b',
  aliases: ['Qwen/Qwen2.5-7B-Instruct'],
  title: 'Qwen/Qwen2.5-7B',
  hiddenSize: 3584,
  vocabSize: 152064,
  maxContextTokens: 131072,
  layers: repeat(28, qwenLayer(28, 4, 18944)),
  ...common,
  source: 'config.json of Qwen/Qwen2.5-7B',
})

export const qwen25_14b = definePreset({
  name: 'qwen2.5-14b',
  aliases: ['Qwen/Qwen2.5-14B-Instruct'],
  title: 'Qwen/Qwen2.5-14B',
  hiddenSize: 5120,
  vocabSize: 152064,
  maxContextTokens: 131072,
  layers: repeat(48, qwenLayer(40, 8, 13824)),
  ...common,
  source: 'config.json of Qwen/Qwen2.5-14B',
})

export const qwen25_32b = definePreset({
  name: 'qwen2.5-32b',
  aliases: ['Qwen/Qwen2.5-32B-Instruct'],
  title: 'Qwen/Qwen2.5-32B',
  hiddenSize: 5120,
  vocabSize: 152064,
  maxContextTokens: 131072,
  layers: repeat(64, qwenLayer(40, 8, 27648)),
  ...common,
  source: 'config.json of Qwen/Qwen2.5-32B',
})

export const qwen25_72b = definePreset({
  name: 'qwen2.5-72b',
  aliases: ['Qwen/Qwen2.5-72B-Instruct'],
  title: 'Qwen/Qwen2.5-72B',
  hiddenSize: 8192,
  vocabSize: 152064,
  maxContextTokens: 131072,
  layers: repeat(80, qwenLayer(64, 8, 29568)),
  ...common,
  source: 'config.json of Qwen/Qwen2.5-72B',
})

export const qwen2_57b_a14b = definePreset({
  name: 'qwen2-57b-a14b',
  aliases: ['Qwen/Qwen2-57B-A14B-Instruct'],
  title: 'Qwen/Qwen2-57B-A14B',
  hiddenSize: 3584,
  vocabSize: 151936,
  maxContextTokens: 131072,
  layers: repeat(28, {
    attention: { kind: 'full', queryHeads: 28, kvHeads: 4, headDim: 128, qkvBias: true },
    mlp: {
      kind: 'moe',
      experts: 64,
      expertsPerToken: 8,
      expertIntermediateSize: 2560,
      gated: true,
      sharedExperts: 1,
      sharedExpertIntermediateSize: 20480,
      sharedExpertGate: true,
    },
  }),
  ...common,
  source: 'config.json of Qwen/Qwen2-57B-A14B',
})
