import { type Layer, layersBy } from '../architecture.ts'
import type { HeadShape } from '../layers/attention.ts'
import type { Mlp } from '../layers/mlp.ts'
import { definePreset } from './definePreset.ts'

/** Every `period`-th layer sees all tokens, the others a window. */
const localGlobal = (
  count: number,
  period: number,
  windowTokens: number,
  heads: HeadShape,
  intermediateSize: number,
): Layer[] => {
  const mlp: Mlp = { kind: 'dense', intermediateSize, gated: true }
  const local: Layer = { attention: { kind: 'sliding-window', windowTokens, ...heads }, mlp }
  const global: Layer = { attention: { kind: 'full', ...heads }, mlp }
  return layersBy(count, (index) => (index % period === period - 1 ? global : local))
}

const common = {
  tiedEmbeddings: true,
  norm: 'rms',
  normsPerLayer: 4,
  sampling: { topP: 0.95, topK: 64 },
} as const

export const gemma2_9b = definePreset({
  name: 'gemma-2-9b',
  aliases: ['google/gemma-2-9b-it'],
  title: 'google/gemma-2-9b',
  hiddenSize: 3584,
  vocabSize: 256000,
  maxContextTokens: 8192,
  layers: localGlobal(42, 2, 4096, { queryHeads: 16, kvHeads: 8, headDim: 256 }, 14336),
  ...common,
  source: 'config.json of google/gemma-2-9b',
})

export const gemma2_27b = definePreset({
  name: 'gemma-2-27b',
  aliases: ['google/gemma-2-27b-it'],
  title: 'google/gemma-2-27b',
  hiddenSize: 4608,
  vocabSize: 256000,
  maxContextTokens: 8192,
  layers: localGlobal(46, 2, 4096, { queryHeads: 32, kvHeads: 16, headDim: 128 }, 36864),
  ...common,
  source: 'config.json of google/gemma-2-27b',
})

export const gemma3_1b = definePreset({
  name: 'gemma-3-1b',
  aliases: ['google/gemma-3-1b-it'],
  title: 'google/gemma-3-1b-pt',
  hiddenSize: 1152,
  vocabSize: 262144,
  maxContextTokens: 32768,
  layers: localGlobal(26, 6, 512, { queryHeads: 4, kvHeads: 1, headDim: 256, qkNorm: 'per-head' }, 6912),
  ...common,
  source: 'config.json of google/gemma-3-1b-pt',
})

export const gemma3_12b = definePreset({
  name: 'gemma-3-12b',
  aliases: ['google/gemma-3-12b-it'],
  title: 'google/gemma-3-12b-pt',
  hiddenSize: 3840,
  vocabSize: 262208,
  maxContextTokens: 131072,
  layers: localGlobal(48, 6, 1024, { queryHeads: 16, kvHeads: 8, headDim: 256, qkNorm: 'per-head' }, 15360),
  ...common,
  source: 'config.json of google/gemma-3-12b-pt, the language model',
})

export const gemma3_27b = definePreset({
  name: 'gemma-3-27b',
  aliases: ['google/gemma-3-27b-it'],
  title: 'google/gemma-3-27b-pt',
  hiddenSize: 5376,
  vocabSize: 262208,
  maxContextTokens: 131072,
  layers: localGlobal(62, 6, 1024, { queryHeads: 32, kvHeads: 16, headDim: 128, qkNorm: 'per-head' }, 21504),
  ...common,
  source: 'config.json of google/gemma-3-27b-pt, the language model',
})
