import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

export const codeLlama34b = definePreset({
  name: 'codellama-34b',
  aliases: ['codellama/CodeLlama-34b-Instruct-hf'],
  title: 'codellama/CodeLlama-34b-hf',
  hiddenSize: 8192,
  vocabSize: 32000,
  tiedEmbeddings: false,
  maxContextTokens: 16384,
  layers: repeat(48, denseLayer({ queryHeads: 64, kvHeads: 8, headDim: 128 }, 22016)),
  norm: 'rms',
  normsPerLayer: 2,
  source: 'config.json of codellama/CodeLlama-34b-hf',
})
