import type { Accelerator } from '@windtunnel/hardware'
import { type Architecture, repeat } from '@windtunnel/models'
import { emptyBatch, type StepBatch } from '../../src/step/stepCost.ts'

/**
 * Two layers of width 100 with 4 heads of 25, 2 KV heads, a gated feed-forward of 200 and a vocabulary of 1,000. Weights of
 * a layer: query, key, value 100 x 200, output 100 x 100, gate and up 100 x 400, down 200 x 100: 90,000.
 */
export const tinyModel: Architecture = {
  name: 'tiny',
  title: 'tiny',
  hiddenSize: 100,
  vocabSize: 1000,
  tiedEmbeddings: false,
  maxContextTokens: 4096,
  norm: 'rms',
  normsPerLayer: 2,
  layers: repeat(2, {
    attention: { kind: 'full', queryHeads: 4, kvHeads: 2, headDim: 25 },
    mlp: { kind: 'dense', intermediateSize: 200, gated: true },
  }),
  source: 'made up',
}

/** 1e9 FLOP/s and 1e6 B/s: 1,000 FLOPs per byte. Links send 1e5 B/s. */
export const tinyAccelerator = {
  name: 'tiny-accelerator',
  title: 'tiny accelerator',
  vendor: 'nvidia',
  kind: 'gpu',
  scaleUp: 'nvlink',
  torusDimensions: undefined,
  profile: 'vendor',
  flopsPerSecond: { bf16: 1e9 },
  hbmBytes: 2e6,
  hbmBytesPerSecond: 1e6,
  scaleUpBytesPerSecond: 1e5,
  scaleUpLinks: 1,
  scaleUpLinkBytesPerSecond: 1e5,
  figures: {},
} as unknown as Accelerator

export const decodeBatch = (sequences: number, contextTokens: number, windowTokens = contextTokens): StepBatch => ({
  ...emptyBatch(),
  decodeSequences: sequences,
  decodeContextTokens: contextTokens,
  decodeWindowTokens: windowTokens,
})

export const prefillBatch = (
  chunks: readonly (readonly [tokens: number, context: number])[],
  samples = 0,
): StepBatch => ({
  ...emptyBatch(),
  chunkCount: chunks.length,
  chunkTokens: chunks.map(([tokens]) => tokens),
  chunkContext: chunks.map(([, context]) => context),
  chunkSamples: samples,
})
