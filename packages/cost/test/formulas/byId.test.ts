import { evaluateFormula, type FormulaInput, type FormulaOutput, formulas } from '@windtunnel/cost'
import { describe, expect, test } from 'vitest'

type Row = readonly [
  id: string,
  inputs: Readonly<Record<string, FormulaInput>>,
  output: string,
  expected: FormulaOutput,
]

// Round sizes, so that every figure can be worked out by hand: alpha = 1e12/1e9 = 1000.
const shape = { layers: 3, dModel: 4, dFf: 10, queryHeads: 2, kvHeads: 1, headDim: 2, vocabulary: 11 }
const { dModel, dFf, queryHeads, kvHeads, headDim } = shape
const layer = { batchTokens: 8000, dModel: 100, dFf: 1000, peakFlopsPerSecond: 1e12, linkBytesPerSecond: 1e9 }
const decode = { batch: 10, paramBytes: 8e9, chips: 4, hbmBytesPerSecond: 1e12 }

const rows: readonly Row[] = [
  ['M1', { outputSizes: [2, 5], contractedSizes: [3] }, 'flops', 60],
  ['M2', { rows: 2, inner: 3, columns: 5 }, 'totalFlops', 180],
  ['M3', { dModel, dFf, tokens: 5 }, 'flops', 18 * 5 * 40],
  ['M4', { dModel, queryHeads, kvHeads, headDim, tokens: 5 }, 'flops', 12 * 5 * 4 * 3 * 2],
  ['M5', { sequences: 2, queryTokens: 3, keyTokens: 4, queryHeads, headDim, causal: 'yes' }, 'flops', 576],
  ['M6', { dModel, vocabulary: 11, tokens: 5, count: 'unembedding-and-embedding' }, 'flops', 12 * 5 * 44],
  // L(3DF + 2D(N+K)H + 2D) + 2DV = 3(120 + 48 + 8) + 88.
  ['M7', { ...shape, tokens: 10 }, 'total', 616],
  // 12*42*4/(18*40 + 12*4*3*2).
  ['M8', { contextTokens: 42, dModel, dFf, queryHeads, kvHeads, headDim }, 'ratio', 2016 / 1008],
  ['M9', { ...shape, experts: 8, expertsPerToken: 2, tokens: 1 }, 'activated', 976],
  [
    'M10',
    { experts: 16, expertsPerToken: 2, peakFlopsPerSecond: 1e14, hbmBytesPerSecond: 1e12, weightBytes: 1 },
    'criticalBatchTokens',
    400,
  ],
  ['M11', { savedArrays: 7, tokens: 10, dModel, layers: 3 }, 'bytes', 1680],
  ['M12', { layers: 3, kvHeads: 1, headDim: 2, contextTokens: 10 }, 'bytesPerSequence', 240],
  ['M13', { queryTokens: 1, keyTokens: 24, queryHeadsPerKvHead: 8 }, 'intensity', 6],
  ['M14', { sequences: 2, tokensPerSequence: 10, queryHeads, headDim }, 'flopsPerLayer', 3200],
  ['M15', { activatedParams: 10, tokens: 100, deviceSeconds: 3, peakFlopsPerSecond: 4000 }, 'utilisation', 0.5],
  ['M16', { rows: 8, inner: 2, columns: 3, shards: 8, idleReplicas: 4 }, 'totalFlops', 384],
  ['M17', { firstMaximum: 1, firstDenominator: 2, secondMaximum: 1, secondDenominator: 3 }, 'denominator', 5],
  ['T1', { params: 1e9, hbmBytesPerChip: 96e9 }, 'maxParams', 9.6e9],
  ['T2', { ...layer, shards: 4, axes: 2 }, 'minTokensPerChip', 500],
  ['T3', { ...layer, shards: 4, axes: 2 }, 'maxChips', 16],
  ['T4', { ...layer, shards: 4 }, 'maxShards', 1],
  ['T5', { ...layer, fsdpShards: 4, tensorShards: 2, overlap: 'serial' }, 'commsSeconds', 9e-4],
  ['T6', { batchTokens: 8000, dFf: 1000, chips: 64, fsdpAxes: 1 }, 'fsdpShards', Math.sqrt(512)],
  ['T7', { batchTokens: 6400, chips: 64, criticalIntensity: 1000, dFf: 10_000 }, 'minTokensPerChip', 50],
  ['T8', { batchTokens: 6400, chips: 64, criticalIntensity: 1000, dFf: 10_000 }, 'minTokensPerChip', 200],
  ['T9', { batchTokens: 6400, chips: 64, criticalIntensity: 1000, dFf: 10_000 }, 'scheme', 'mixed'],
  ['T10', { strategy: 'fsdp', batchTokens: 16, dModel: 3, dFf: 5, fsdpShards: 4 }, 'backwardCommsBytes', 120],
  [
    'T11',
    {
      batchTokens: 8000,
      dModel: 100,
      dFf: 1000,
      slices: 2,
      chipsPerSlice: 4,
      peakFlopsPerSecond: 1e12,
      dcnBytesPerSecondPerChip: 1e8,
    },
    'minTokensPerSlice',
    10_000,
  ],
  // 2*3*100*(4 + 2*10).
  ['T12', { layers: 3, batchTokens: 100, dModel, dFf }, 'mlpCheckpointBytes', 14_400],
  ['T13', { activatedParams: 10, tokens: 100, chips: 3, peakFlopsPerSecond: 1000, utilisation: 0.5 }, 'seconds', 4],
  ['T14', { params: 70e9, checkpointBytes: 10e9, hbmBytesPerChip: 96e9 }, 'minChips', 8],
  ['T15', { stages: 4, microbatches: 12, dModel: 500, onewayBytesPerSecond: 1e9 }, 'idleShare', 0.2],
  ['T16', { batchTokens: 10_000, tokensPerSequence: 3000, chips: 4 }, 'maxShards', 3],
  ['I1', { ...decode, kvBytesPerSequence: 1e8 }, 'seconds', 2.25e-3],
  ['I2', { ...decode, kvBytesPerSequence: 1e8 }, 'tokensPerSecond', 10 / 2.25e-3],
  [
    'I3',
    { ...decode, batch: 100, kvBytesPerSequence: 1e8, activatedParams: 8e9, peakFlopsPerSecond: 1e14 },
    'seconds',
    6.5e-3,
  ],
  ['I4', { peakFlopsPerSecond: 1e14, hbmBytesPerSecond: 1e12, weightBytes: 1 }, 'criticalBatchTokens', 50],
  ['I5', { queryTokens: 960, keyTokens: 960 }, 'intensity', 480],
  [
    'I6',
    {
      globalLayers: 2,
      localLayers: 4,
      windowTokens: 10,
      kvHeads: 3,
      headDim: 5,
      bytesPerElement: 1,
      contextTokens: 100,
    },
    'storedBytes',
    7200,
  ],
  [
    'I7',
    {
      batchTokens: 8,
      dModel: 1024,
      dFf: 4096,
      hbmBytesPerSecond: 8e11,
      linkBytesPerSecond: 1e11,
      peakFlopsPerSecond: 1e15,
    },
    'maxShards',
    64,
  ],
  [
    'I8',
    { shards: 16, kvHeads: 8, queryHeads: 32, headDim: 128, batch: 4, linkBytesPerSecond: 1e9 },
    'collectives',
    ['all-to-all of queries', 'all-to-all of attention output'],
  ],
  ['I9', { chips: 128, batchTokens: 32, dModel: 8192, dFf: 32_768, linkBytesPerSecond: 9e10 }, 'minChips', 72],
  ['I10', { shards: 8, onewayBytesPerSecond: 45e9, batchTokens: 100, dModel: 9000 }, 'tensorShards', 20],
  ['I11', { acceptance: 0.5, draftTokens: 2, targetStepSeconds: 1, draftStepSeconds: 0.1 }, 'expectedTokens', 1.75],
  ['I12', { chips: 16, dFf: 16_384, criticalIntensity: 2200 }, 'tensorWays', 4],
  [
    'I13',
    { experts: 16, expertsPerToken: 2, peakFlopsPerSecond: 1e14, hbmBytesPerSecond: 1e12 },
    'criticalBatchTokens',
    800,
  ],
  [
    'I14',
    {
      paramBytes: 8e9,
      kvBytesPerSequence: 1e8,
      chips: 4,
      hbmBytesPerSecond: 1e12,
      dModel: 64,
      dFf: 512,
      contextTokens: 128,
      kvHeads: 8,
      headDim: 8,
    },
    'saturationBatch',
    80,
  ],
  ['S1', { peakFlopsPerSecond: 1e12, usdPerHour: 2 }, 'flopsPerUsd', 1.8e15],
  ['S2', { chips: 4, hbmBytesPerChip: 16e9, paramBytes: 54e9, kvBytesPerToken: 1e6, contextTokens: 1000 }, 'batch', 10],
  [
    'S3',
    { paramBytes: 70e9, kvBytesPerSequence: 1e9, batch: 20, hbmBytesPerChip: 16e9, hbmBytesPerSecond: 1e12 },
    'sliceChips',
    8,
  ],
  ['S4', { hbmBytesPerChip: 16e9, hbmBytesPerSecond: 8e11, outputTokens: 500 }, 'decodeSeconds', 10],
  ['S5', { batch: 40, stepSeconds: 0.02, outputTokens: 500, chips: 4, usdPerHour: 1.8 }, 'usdPerMillionTokens', 1],
  [
    'S6',
    {
      batchTokens: 100,
      dModel: 1000,
      dFf: 4000,
      shards: 4,
      linkBytesPerSecond: 1e10,
      hbmBytesPerSecond: 1e12,
      peakFlopsPerSecond: 1e14,
    },
    'bound',
    'communication',
  ],
  ['S7', { activatedParams: 10, tokens: 100, chips: 2, peakFlopsPerSecond: 1000, utilisation: 0.5 }, 'seconds', 2],
  ['S8', { batch: 32, promptTokens: 1800, outputTokens: 200 }, 'cacheTokensPerStep', 320],
  ['S9', { prefillSeconds: 1, batch: 30, stepSeconds: 0.02, outputTokens: 500 }, 'ratio', 3],
  [
    'S10',
    {
      activatedParams: 8e9,
      paramBytes: 8e9,
      kvBytesPerToken: 1e5,
      chips: 4,
      hbmBytesPerSecond: 1e12,
      peakFlopsPerSecond: 1e14,
      batch: 100,
      contextTokens: 1000,
    },
    'seconds',
    6.5e-3,
  ],
]

describe('formulas of chapters 4 to 8 called by id', () => {
  test('every id of those chapters has a row here', () => {
    const ids = Object.values(formulas).filter(({ chapter }) => chapter >= 4 && chapter <= 8)
    expect(rows.map(([id]) => id)).toEqual(ids.map(({ id }) => id))
  })

  test.each(rows)('%s', (id, inputs, output, expected) => {
    const found = evaluateFormula(id, inputs)
    const { outputs } = formulas[id as keyof typeof formulas]
    expect(Object.keys(found)).toEqual(Object.keys(outputs))
    if (typeof expected === 'number') expect((found[output] as number) / expected).toBeCloseTo(1, 12)
    else expect(found[output]).toEqual(expected)
  })

  test('a word that is no choice is refused with the choices', () => {
    const call = () => evaluateFormula('M3', { dModel, dFf, tokens: 5, gated: 'maybe' })
    expect(call).toThrow(/gated must be one of yes, no, found maybe/)
  })
})
