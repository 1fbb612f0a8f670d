import { type Layer, layersBy } from '../architecture.ts'
import type { FullAttention, LinearAttention } from '../layers/attention.ts'
import type { MoeMlp } from '../layers/mlp.ts'
import { definePreset } from './definePreset.ts'

const common = {
  vocabSize: 248320,
  tiedEmbeddings: false,
  maxContextTokens: 262144,
  norm: 'rms',
  normsPerLayer: 2,
  sampling: { temperature: 1, topP: 0.95, topK: 20 },
} as const

const gatedDelta = (valueHeads: number): LinearAttention => ({
  kind: 'linear',
  form: 'gated-delta',
  keyHeads: 16,
  valueHeads,
  keyHeadDim: 128,
  valueHeadDim: 128,
  convKernel: 4,
})

const gatedFull = (queryHeads: number, kvHeads: number): FullAttention => ({
  kind: 'full',
  queryHeads,
  kvHeads,
  headDim: 256,
  qkNorm: 'per-head',
  outputGate: true,
})

const moe = (experts: number, expertsPerToken: number, size: number): MoeMlp => ({
  kind: 'moe',
  experts,
  expertsPerToken,
  expertIntermediateSize: size,
  gated: true,
  sharedExperts: 1,
  sharedExpertIntermediateSize: size,
  sharedExpertGate: true,
})

/** Three layers of linear attention, then one that sees all tokens. */
const hybrid = (count: number, linear: LinearAttention, full: FullAttention, mlp: MoeMlp): Layer[] => {
  const layers = { linear: { attention: linear, mlp }, full: { attention: full, mlp } }
  return layersBy(count, (index) => (index % 4 === 3 ? layers.full : layers.linear))
}

export const qwen3Next80b = definePreset({
  name: 'qwen3-next-80b-a3b',
  aliases: ['Qwen/Qwen3-Next-80B-A3B-Thinking'],
  title: 'Qwen/Qwen3-Next-80B-A3B-Instruct',
  hiddenSize: 2048,
  layers: hybrid(48, gatedDelta(32), gatedFull(16, 2), moe(512, 10, 512)),
  ...common,
  vocabSize: 151936,
  source: 'config.json of Qwen/Qwen3-Next-80B-A3B-Instruct, without its draft head',
})

export const qwen35_35b_a3b = definePreset({
  name: 'qwen3.5-35b-a3b',
  aliases: ['qwen3.6-35b-a3b', 'Qwen/Qwen3.6-35B-A3B', 'nvidia/Qwen3.6-35B-A3B-NVFP4'],
  title: 'Qwen/Qwen3.5-35B-A3B',
  hiddenSize: 2048,
  layers: hybrid(40, gatedDelta(32), gatedFull(16, 2), moe(256, 8, 512)),
  ...common,
  source: 'config.json of Qwen/Qwen3.5-35B-A3B (3.6 has the same shapes), the language model without its draft head',
})

export const qwen35_397b_a17b = definePreset({
  name: 'qwen3.5-397b-a17b',
  aliases: ['Qwen/Qwen3.5-397B-A17B-FP8'],
  title: 'Qwen/Qwen3.5-397B-A17B',
  hiddenSize: 4096,
  layers: hybrid(60, gatedDelta(64), gatedFull(32, 2), moe(512, 10, 1024)),
  ...common,
  source: 'config.json of Qwen/Qwen3.5-397B-A17B, the language model without its draft head',
})
