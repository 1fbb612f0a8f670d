import { check } from './checkFormula.ts'

// Round numbers, so that each result can be checked in the head.
check('R1', { flops: 2e12, peakFlopsPerSecond: 1e12 }, { seconds: 2 })
check('R2', { bytes: 3e9, bytesPerSecond: 1e9 }, { seconds: 3 })
check('R3', { mathSeconds: 2, moveSeconds: 3 }, { lowerSeconds: 3, upperSeconds: 5, bound: 'memory' })
check(
  'R4',
  { flops: 1000, bytes: 10, peakFlopsPerSecond: 240e12, bytesPerSecond: 1e12 },
  { intensity: 100, criticalIntensity: 240, bound: 'memory' },
)
// (2*4-1)/(4*4+2) = 7/18; 1/12 whatever the length.
check('R5', { elements: 4 }, { dotIntensity: 7 / 18, dotLimit: 0.5, addIntensity: 1 / 12 })
// 2*2*3*4 = 48; 2*4*(2*3-1) = 40; 2*(6+12+8) = 52; DF/(D+F) = 12/7.
check(
  'R6',
  { batchTokens: 2, inputDim: 3, outputDim: 4 },
  { flops: 48, exactFlops: 40, bytes: 52, intensity: 48 / 52, smallBatchIntensity: 2, largestIntensity: 12 / 7 },
)
// D = F = 100, C/W = 10: 2*1e4/1 / (2*1e4/10 - 400) = 20000/1600 = 12.5.
check(
  'R7',
  { inputDim: 100, outputDim: 100, peakFlopsPerSecond: 10, bytesPerSecond: 1 },
  { batchTokens: 12.5, smallBatchTokens: 10 },
)
// C/W = 100 > DF/(D+F) = 50: no batch.
check(
  'R7',
  { inputDim: 100, outputDim: 100, peakFlopsPerSecond: 100, bytesPerSecond: 1 },
  { batchTokens: undefined, smallBatchTokens: 100 },
)
check('R8', { weightBytes: 0.5, peakFlopsPerSecond: 400, bytesPerSecond: 1 }, { batchTokens: 100 })
// v5e: 2*197e12/45e9. T_math = 2*8*9000*16/(2*197e12), T_comms = 2*8*16/45e9.
check(
  'R9',
  { batchTokens: 8, inputDim: 9000, outputDim: 16, peakFlopsPerSecond: 197e12, linkBytesPerSecond: 45e9 },
  {
    inputDimThreshold: 394e12 / 45e9,
    mathSeconds: 2304000 / 394e12,
    moveSeconds: 256 / 45e9,
    lowerSeconds: 2304000 / 394e12,
    bound: 'compute',
  },
)
// 2*2*3*4/(6+24+8) = 48/38.
check('R10', { batchTokens: 2, inputDim: 3, outputDim: 4 }, { intensity: 48 / 38, intensityLimit: 2 })
// 2*1*1*2 * 4*4*8 = 512 FLOPs; 2*(2*(32+32)+16) = 288 bytes; 16/8 = 2.
check(
  'R11',
  { contractionTiles: 2, tileRows: 4, tileColumns: 4, tileContraction: 8 },
  { flops: 512, bytes: 288, intensity: 512 / 288, intensityWithoutOutput: 2 },
)
check('R12', { intensity: 5, peakFlopsPerSecond: 100, bytesPerSecond: 10 }, { flopsPerSecond: 50 })
check('R12', { intensity: 50, peakFlopsPerSecond: 100, bytesPerSecond: 10 }, { flopsPerSecond: 100 })
