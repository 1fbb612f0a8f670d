import { type Layer, layersBy } from '../architecture.ts'
import type { Mlp } from '../layers/mlp.ts'
import { definePreset } from './definePreset.ts'

const heads = { queryHeads: 40, kvHeads: 8, headDim: 128 } as const

const moe = (experts: number): Mlp => ({
  kind: 'moe',
  experts,
  expertsPerToken: 1,
  expertIntermediateSize: 8192,
  gated: true,
  sharedExperts: 1,
  sharedExpertIntermediateSize: 8192,
})

const chunked = (mlp: Mlp): Layer => ({ attention: { kind: 'chunked', windowTokens: 8192, ...heads }, mlp })
const full = (mlp: Mlp): Layer => ({ attention: { kind: 'full', ...heads }, mlp })

/** Every fourth layer sees all tokens and has no rotary embedding. */
const attending = (mlp: Mlp) => {
  const layers = { chunked: chunked(mlp), full: full(mlp) }
  return (index: number): Layer => (index % 4 === 3 ? layers.full : layers.chunked)
}

const common = {
  hiddenSize: 5120,
  vocabSize: 202048,
  tiedEmbeddings: false,
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 0.6, topP: 0.9 },
  extras: [{ name: 'vision tower and projector', parameters: 871e6, activated: false }],
} as const

export const llama4Scout = definePreset({
  name: 'llama-4-scout',
  aliases: [
    'llama-4-scout-17b-16e',
    'meta-llama/Llama-4-Scout-17B-16E-Instruct',
    'RedHatAI/Llama-4-Scout-17B-16E-Instruct-FP8-dynamic',
  ],
  title: 'meta-llama/Llama-4-Scout-17B-16E',
  maxContextTokens: 10485760,
  layers: layersBy(48, attending(moe(16))),
  ...common,
  source: 'config.json of meta-llama/Llama-4-Scout-17B-16E; vision tower counted from its shapes',
})

const sparse = attending(moe(128))
const dense = attending({ kind: 'dense', intermediateSize: 16384, gated: true })

export const llama4Maverick = definePreset({
  name: 'llama-4-maverick',
  aliases: ['llama-4-maverick-17b-128e', 'meta-llama/Llama-4-Maverick-17B-128E-Instruct'],
  title: 'meta-llama/Llama-4-Maverick-17B-128E',
  maxContextTokens: 1048576,
  layers: layersBy(48, (index) => (index % 2 === 1 ? sparse : dense)(index)),
  ...common,
  source: 'config.json of meta-llama/Llama-4-Maverick-17B-128E; vision tower counted from its shapes',
})
