import { type Layer, repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'

const common = {
  tiedEmbeddings: false,
  norm: 'rms',
  normsPerLayer: 2,
} as const

const mixtralLayer = (queryHeads: number, expertIntermediateSize: number): Layer => ({
  attention: { kind: 'full', queryHeads, kvHeads: 8, headDim: 128 },
  mlp: { kind: 'moe', experts: 8, expertsPerToken: 2, expertIntermediateSize, gated: true, sharedExperts: 0 },
})

export const mixtral_8x7b = definePreset({
  name: 'mixtral-8x7b',
  aliases: ['mistralai/Mixtral-8x7B-Instruct-v0.1'],
  title: 'mistralai/Mixtral-8x7B-v0.1',
  hiddenSize: 4096,
  vocabSize: 32000,
  maxContextTokens: 32768,
  layers: repeat(32, mixtralLayer(32, 14336)),
  ...common,
  source: 'config.json of mistralai/Mixtral-8x7B-v0.1',
})

export const mixtral_8x22b = definePreset({
  name: 'mixtral-8x22b',
  aliases: ['mistralai/Mixtral-8x22B-Instruct-v0.1'],
  title: 'mistralai/Mixtral-8x22B-v0.1',
  hiddenSize: 6144,
  vocabSize: 32000,
  maxContextTokens: 65536,
  layers: repeat(56, mixtralLayer(48, 16384)),
  ...common,
  source: 'config.json of mistralai/Mixtral-8x22B-v0.1',
})
