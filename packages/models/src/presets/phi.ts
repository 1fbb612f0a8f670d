import { type Layer, repeat } from '../architecture.ts'
import { definePreset } from './definePreset.ts'
import { denseLayer } from './denseLayer.ts'

const common = { tiedEmbeddings: false, norm: 'rms', normsPerLayer: 2 } as const

export const phi2 = definePreset({
  name: 'phi-2',
  title: 'microsoft/phi-2',
  hiddenSize: 2560,
  vocabSize: 51200,
  tiedEmbeddings: false,
  unembeddingBias: true,
  maxContextTokens: 2048,
  layers: repeat(32, {
    attention: { kind: 'full', queryHeads: 32, kvHeads: 32, headDim: 80, qkvBias: true, outputBias: true },
    mlp: { kind: 'dense', intermediateSize: 10240, gated: false, bias: true },
  }),
  norm: 'layer',
  normsPerLayer: 1,
  source: 'config.json of microsoft/phi-2',
})

export const phi3Mini = definePreset({
  name: 'phi-3-mini',
  aliases: ['phi-3.5-mini', 'microsoft/Phi-3.5-mini-instruct'],
  title: 'microsoft/Phi-3-mini-128k-instruct',
  hiddenSize: 3072,
  vocabSize: 32064,
  maxContextTokens: 131072,
  layers: repeat(32, denseLayer({ queryHeads: 32, kvHeads: 32, headDim: 96 }, 8192)),
  ...common,
  source: 'config.json of microsoft/Phi-3-mini-128k-instruct, whose window of 262,144 never binds',
})

export const phi3Medium = definePreset({
  name: 'phi-3-medium',
  title: 'microsoft/Phi-3-medium-128k-instruct',
  hiddenSize: 5120,
  vocabSize: 32064,
  maxContextTokens: 131072,
  layers: repeat(40, denseLayer({ queryHeads: 40, kvHeads: 10, headDim: 128 }, 17920)),
  ...common,
  source: 'config.json of microsoft/Phi-3-medium-128k-instruct',
})

export const phi4 = definePreset({
  name: 'phi-4',
  title: 'microsoft/phi-4',
  hiddenSize: 5120,
  vocabSize: 100352,
  maxContextTokens: 16384,
  layers: repeat(40, denseLayer({ queryHeads: 40, kvHeads: 10, headDim: 128 }, 17920)),
  ...common,
  source: 'config.json of microsoft/phi-4',
})

const phiMoeLayer = (expertIntermediateSize: number): Layer => ({
  attention: { kind: 'full', queryHeads: 32, kvHeads: 8, headDim: 128, qkvBias: true, outputBias: true },
  mlp: { kind: 'moe', experts: 16, expertsPerToken: 2, expertIntermediateSize, gated: true, sharedExperts: 0 },
})

const phiMoe = {
  hiddenSize: 4096,
  vocabSize: 32064,
  tiedEmbeddings: false,
  unembeddingBias: true,
  norm: 'layer',
  normsPerLayer: 2,
} as const

export const phi35Moe = definePreset({
  name: 'phi-3.5-moe',
  title: 'microsoft/Phi-3.5-MoE-instruct',
  maxContextTokens: 131072,
  layers: repeat(32, phiMoeLayer(6400)),
  ...phiMoe,
  source: 'config.json of microsoft/Phi-3.5-MoE-instruct',
})

export const phiMiniMoe = definePreset({
  name: 'phi-mini-moe',
  title: 'microsoft/Phi-mini-MoE-instruct',
  maxContextTokens: 4096,
  layers: repeat(32, phiMoeLayer(960)),
  ...phiMoe,
  source: 'config.json of microsoft/Phi-mini-MoE-instruct',
})
