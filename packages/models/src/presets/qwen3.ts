import { type Layer, repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

const common = {
  vocabSize: 151936,
  maxContextTokens: 40960,
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 0.6, topP: 0.95, topK: 20 },
} as const

const qwenLayer = (queryHeads: number, kvHeads: number, intermediateSize: number): Layer =>
  denseLayer({ queryHeads, kvHeads, headDim: 128, qkNorm: 'per-head' }, intermediateSize)

const moeLayer = (queryHeads: number, expertIntermediateSize: number): Layer => ({
  attention: { kind: 'full', queryHeads, kvHeads: 4, headDim: 128, qkNorm: 'per-head' },
  mlp: { kind: 'moe', experts: 128, expertsPerToken: 8, expertIntermediateSize, gated: true, sharedExperts: 0 },
})

export const qwen3_4b = definePreset({
  name: 'qwen3-4b',
  title: 'Qwen/Qwen3-4B',
  hiddenSize: 2560,
  tiedEmbeddings: true,
  layers: repeat(36, qwenLayer(32, 8, 9728)),
  ...common,
  source: 'config.json of Qwen/Qwen3-4B',
})

export const qwen3_8b = definePreset({
  name: 'qwen3-8b',
  title: 'Qwen/Qwen3-8B',
  hiddenSize: 4096,
  tiedEmbeddings: false,
  layers: repeat(36, qwenLayer(32, 8, 12288)),
  ...common,
  source: 'config.json of Qwen/Qwen3-8B',
})

export const qwen3_14b = definePreset({
  name: 'qwen3-14b',
  title: 'Qwen/Qwen3-14B',
  hiddenSize: 5120,
  tiedEmbeddings: false,
  layers: repeat(40, qwenLayer(40, 8, 17408)),
  ...common,
  source: 'config.json of Qwen/Qwen3-14B',
})

export const qwen3_32b = definePreset({
  name: 'qwen3-32b',
  aliases: ['nvidia/Qwen3-32B-NVFP4', 'Qwen/Qwen3-32B-FP8'],
  title: 'Qwen/Qwen3-32B',
  hiddenSize: 5120,
  tiedEmbeddings: false,
  layers: repeat(64, qwenLayer(64, 8, 25600)),
  ...common,
  source: 'config.json of Qwen/Qwen3-32B',
})

export const qwen3_30b_a3b = definePreset({
  name: 'qwen3-30b-a3b',
  title: 'Qwen/Qwen3-30B-A3B',
  hiddenSize: 2048,
  tiedEmbeddings: false,
  layers: repeat(48, moeLayer(32, 768)),
  ...common,
  source: 'config.json of Qwen/Qwen3-30B-A3B',
})

export const qwen3_235b_a22b = definePreset({
  name: 'qwen3-235b-a22b',
  aliases: ['Qwen/Qwen3-235B-A22B-FP8'],
  title: 'Qwen/Qwen3-235B-A22B',
  hiddenSize: 4096,
  tiedEmbeddings: false,
  layers: repeat(94, moeLayer(64, 1536)),
  ...common,
  source: 'config.json of Qwen/Qwen3-235B-A22B',
})
