import { type Layer, layersBy } from '../architecture.ts'
import type { CompressedCache, LatentAttention } from '../layers/attention.ts'
import type { MoeMlp } from '../layers/mlp.ts'
import { definePreset } from './definePreset.ts'

interface Sizes {
  readonly queryHeads: number
  readonly queryRank: number
  readonly outputGroups: number
  readonly topTokens: number
}

const common = {
  vocabSize: 129280,
  tiedEmbeddings: false,
  maxContextTokens: 1048576,
  norm: 'rms',
  normsPerLayer: 2,
} as const

const latent = ({ queryHeads, queryRank, outputGroups }: Sizes, cache: Partial<CompressedCache>): LatentAttention => ({
  kind: 'latent',
  queryHeads,
  queryRank,
  kvRank: 448,
  ropeHeadDim: 64,
  nopeHeadDim: 448,
  valueHeadDim: 512,
  compressedCache: { windowTokens: 128, outputGroups, outputRank: 1024, ...cache },
})

/** The three kinds of layer: a window only; one entry for 4 tokens, picked by an indexer; one for 128, all seen. */
const kinds = (sizes: Sizes, mlp: MoeMlp) => {
  const indexer = { heads: 64, headDim: 128, topTokens: sizes.topTokens }
  const window: Layer = { attention: latent(sizes, {}), mlp }
  const picked: Layer = { attention: { ...latent(sizes, { tokensPerEntry: 4, overlap: true }), indexer }, mlp }
  const dense: Layer = { attention: latent(sizes, { tokensPerEntry: 128 }), mlp }
  return { window, picked, dense }
}

const moe = (experts: number, expertIntermediateSize: number): MoeMlp => ({
  kind: 'moe',
  experts,
  expertsPerToken: 6,
  expertIntermediateSize,
  gated: true,
  sharedExperts: 1,
  sharedExpertIntermediateSize: expertIntermediateSize,
  routerBias: true,
})

/** Two mixers a layer, each a matrix of 24 rows over four residual streams, and one at the end of 4 rows. */
const hyperConnections = (layers: number, hiddenSize: number) => ({
  name: 'hyper-connections',
  parameters: layers * 2 * (24 * 4 * hiddenSize + 24 + 3) + 4 * 4 * hiddenSize + 4 + 1,
  activated: true,
})

const flash = kinds({ queryHeads: 64, queryRank: 1024, outputGroups: 8, topTokens: 512 }, moe(256, 2048))

export const deepseekV4Flash = definePreset({
  name: 'deepseek-v4-flash',
  title: 'deepseek-ai/DeepSeek-V4-Flash',
  hiddenSize: 4096,
  layers: layersBy(43, (index) => (index < 2 ? flash.window : index % 2 === 0 ? flash.picked : flash.dense)),
  ...common,
  extras: [hyperConnections(43, 4096)],
  source: 'config.json of deepseek-ai/DeepSeek-V4-Flash, without its draft head',
})

const pro = kinds({ queryHeads: 128, queryRank: 1536, outputGroups: 16, topTokens: 1024 }, moe(384, 3072))

export const deepseekV4Pro = definePreset({
  name: 'deepseek-v4-pro',
  title: 'deepseek-ai/DeepSeek-V4-Pro',
  hiddenSize: 7168,
  layers: layersBy(61, (index) => (index > 0 && index % 2 === 0 ? pro.picked : pro.dense)),
  ...common,
  extras: [hyperConnections(61, 7168)],
  source: 'config.json of deepseek-ai/DeepSeek-V4-Pro, without its draft head',
})
