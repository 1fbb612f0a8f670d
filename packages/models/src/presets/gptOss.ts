import { type Layer, layersBy } from '../architecture.ts'
import type { HeadShape } from '../layers/attention.ts'
import type { Mlp } from '../layers/mlp.ts'
import { definePreset } from './definePreset.ts'

const heads: HeadShape = {
  queryHeads: 64,
  kvHeads: 8,
  headDim: 64,
  qkvBias: true,
  outputBias: true,
  sinks: true,
}

/** Windows of 128 and full attention take turns, window first. */
const alternating = (count: number, experts: number): Layer[] => {
  const mlp: Mlp = {
    kind: 'moe',
    experts,
    expertsPerToken: 4,
    expertIntermediateSize: 2880,
    gated: true,
    sharedExperts: 0,
    routerBias: true,
    expertBias: true,
  }
  const local: Layer = { attention: { kind: 'sliding-window', windowTokens: 128, ...heads }, mlp }
  const global: Layer = { attention: { kind: 'full', ...heads }, mlp }
  return layersBy(count, (index) => (index % 2 === 0 ? local : global))
}

const common = {
  hiddenSize: 2880,
  vocabSize: 201088,
  tiedEmbeddings: false,
  maxContextTokens: 131072,
  norm: 'rms',
  normsPerLayer: 2,
} as const

export const gptOss20b = definePreset({
  name: 'gpt-oss-20b',
  title: 'openai/gpt-oss-20b',
  layers: alternating(24, 32),
  ...common,
  source: 'config.json of openai/gpt-oss-20b',
})

export const gptOss120b = definePreset({
  name: 'gpt-oss-120b',
  title: 'openai/gpt-oss-120b',
  layers: alternating(36, 128),
  ...common,
  source: 'config.json of openai/gpt-oss-120b',
})
