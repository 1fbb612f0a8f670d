import { repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'

export const bloom176b = definePreset({
  name: 'bloom-176b',
  aliases: ['bloom'],
  title: 'bigscience/bloom',
  hiddenSize: 14336,
  vocabSize: 250880,
  tiedEmbeddings: true,
  maxContextTokens: 2048,
  layers: repeat(70, {
    attention: { kind: 'full', queryHeads: 112, kvHeads: 112, headDim: 128, qkvBias: true, outputBias: true },
    mlp: { kind: 'dense', intermediateSize: 57344, gated: false, bias: true },
  }),
  norm: 'layer',
  normsPerLayer: 2,
  extras: [{ name: 'norm of the embedding', parameters: 2 * 14336, activated: true }],
  source: 'config.json of bigscience/bloom',
})
