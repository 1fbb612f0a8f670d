import {
  arithmeticIntensity,
  attainableFlopsPerSecond,
  boundOf,
  criticalBatch,
  criticalIntensity,
  dotProduct,
  exactCriticalBatch,
  largestIntensity,
  mathSeconds,
  matmulWork,
  moveSeconds,
  perExampleMatmul,
  smallBatchIntensity,
  splitContraction,
  tiledMatmul,
  tileIntensity,
  timeBounds,
  vectorAdd,
} from '../rooflines/index.ts'
import { chapter, formula, number } from './formula.ts'

const peakFlopsPerSecond = number('FLOP/s', 'peak for the dtype of the arithmetic')
const bytesPerSecond = number('B/s', 'bandwidth of the memory or link that feeds it')
const batchTokens = number('tokens', 'B, rows of the input')
const inputDim = number('1', 'D, the contracted dimension')
const outputDim = number('1', 'F, the output dimension')
const inputBytes = number('B', 'bytes per element of the input', 2)
const weightBytes = number('B', 'bytes per weight', 2)
const outputBytes = number('B', 'bytes per element of the output', 2)

export const chapter01 = chapter(1, 'Rooflines', {
  R1: formula({
    title: 'time of arithmetic',
    text: 'T_math = FLOPs / C',
    variables: { flops: number('FLOP', 'operations'), peakFlopsPerSecond },
    outputs: { seconds: 's' },
    by: { mathSeconds },
    evaluate: (v) => ({ seconds: mathSeconds(v.flops, v.peakFlopsPerSecond) }),
  }),
  R2: formula({
    title: 'time of moving bytes',
    text: 'T_comms = bytes / W',
    variables: { bytes: number('B', 'bytes moved'), bytesPerSecond },
    outputs: { seconds: 's' },
    by: { moveSeconds },
    evaluate: (v) => ({ seconds: moveSeconds(v.bytes, v.bytesPerSecond) }),
  }),
  R3: formula({
    title: 'lower and upper bound of a time',
    text: 'T_lower = max(T_math, T_comms); T_upper = T_math + T_comms <= 2 T_lower',
    variables: { mathSeconds: number('s', 'time of the arithmetic'), moveSeconds: number('s', 'time of moving bytes') },
    outputs: { lowerSeconds: 's', upperSeconds: 's', bound: 'verdict' },
    valid: 'the lower bound assumes perfect overlap',
    by: { timeBounds },
    evaluate: (v) => timeBounds(v.mathSeconds, v.moveSeconds),
  }),
  R4: formula({
    title: 'arithmetic and critical intensity',
    text: 'I(alg) = FLOPs/bytes; I(acc) = C/W; compute-bound iff I(alg) > I(acc)',
    variables: {
      flops: number('FLOP', 'operations of the algorithm'),
      bytes: number('B', 'bytes it moves'),
      peakFlopsPerSecond,
      bytesPerSecond,
    },
    outputs: { intensity: 'FLOP/B', criticalIntensity: 'FLOP/B', bound: 'verdict' },
    valid: 'one pair of resources at a time',
    by: { arithmeticIntensity, criticalIntensity, boundOf },
    evaluate: (v) => {
      const intensity = arithmeticIntensity(v.flops, v.bytes)
      const critical = criticalIntensity(v.peakFlopsPerSecond, v.bytesPerSecond)
      return { intensity, criticalIntensity: critical, bound: boundOf(intensity, critical) }
    },
  }),
  R5: formula({
    title: 'intensity of a dot product and of a vector sum',
    text: 'dot, bf16: (2N-1)/(4N+2) -> 1/2; add, fp32: N/12N = 1/12',
    variables: {
      elements: number('1', 'N, length of the vectors'),
      dotBytes: number('B', 'bytes per element of the dot product', 2),
      addBytes: number('B', 'bytes per element of the sum', 4),
    },
    outputs: { dotIntensity: 'FLOP/B', dotLimit: 'FLOP/B', addIntensity: 'FLOP/B' },
    valid: 'runs on the vector unit: compare with its peak',
    by: { dotProduct, vectorAdd },
    evaluate: (v) => {
      const dot = dotProduct(v.elements, v.dotBytes)
      const add = vectorAdd(v.elements, v.addBytes)
      return { dotIntensity: dot.intensity, dotLimit: dot.intensityLimit, addIntensity: add.intensity }
    },
  }),
  R6: formula({
    title: 'work and intensity of a matmul [B,D]x[D,F]',
    text: 'FLOPs = 2BDF; bytes = 2(BD+DF+BF); I = BDF/(BD+DF+BF), at most DF/(D+F)',
    variables: { batchTokens, inputDim, outputDim, inputBytes, weightBytes, outputBytes },
    outputs: {
      flops: 'FLOP',
      exactFlops: 'FLOP',
      bytes: 'B',
      intensity: 'FLOP/B',
      smallBatchIntensity: 'FLOP/B',
      largestIntensity: 'FLOP/B',
    },
    by: { matmulWork, smallBatchIntensity, largestIntensity },
    evaluate: (v) => ({
      ...matmulWork(v),
      smallBatchIntensity: smallBatchIntensity(v.batchTokens, v.weightBytes),
      largestIntensity: largestIntensity(v),
    }),
  }),
  R7: formula({
    title: 'critical batch of a matmul, activations counted',
    text: 'B_crit = (b_w D F/W) / (2DF/C - (b_x D + b_o F)/W), about C/W when B << D, F',
    variables: { inputDim, outputDim, inputBytes, weightBytes, outputBytes, peakFlopsPerSecond, bytesPerSecond },
    outputs: { batchTokens: 'tokens', smallBatchTokens: 'tokens' },
    valid: 'tokens per replica of the weights; no batch where the bracket is not positive',
    by: { exactCriticalBatch, criticalBatch },
    evaluate: (v) => ({
      batchTokens: exactCriticalBatch(v),
      smallBatchTokens: criticalBatch(v.peakFlopsPerSecond, v.bytesPerSecond, v.weightBytes),
    }),
  }),
  R8: formula({
    title: 'critical batch with quantised weights',
    text: 'B_crit = (b_w/2) C/W',
    variables: { weightBytes, peakFlopsPerSecond, bytesPerSecond },
    outputs: { batchTokens: 'tokens' },
    valid: 'B << D, F; the peak is that of the compute dtype',
    by: { criticalBatch },
    evaluate: (v) => ({ batchTokens: criticalBatch(v.peakFlopsPerSecond, v.bytesPerSecond, v.weightBytes) }),
  }),
  R9: formula({
    title: 'contraction split over two chips',
    text: 'T_math = 2BDF/(2C); T_comms = 2BF/W_link; compute-bound iff D > 2C/W_link',
    variables: {
      batchTokens,
      inputDim,
      outputDim,
      peakFlopsPerSecond,
      linkBytesPerSecond: number('B/s', 'link between the chips, one direction'),
      bytesPerElement: number('B', 'bytes per partial sum', 2),
    },
    outputs: { mathSeconds: 's', moveSeconds: 's', lowerSeconds: 's', inputDimThreshold: '1', bound: 'verdict' },
    valid: 'full duplex link: count one direction',
    by: { splitContraction },
    evaluate: splitContraction,
  }),
  R10: formula({
    title: 'a matrix for each example',
    text: 'I = 2BDF/(BD+BDF+BF) -> 2 in int8',
    variables: { batchTokens, inputDim, outputDim, bytesPerElement: number('B', 'bytes per element', 1) },
    outputs: { intensity: 'OP/B', intensityLimit: 'OP/B' },
    valid: 'never compute-bound',
    by: { perExampleMatmul },
    evaluate: perExampleMatmul,
  }),
  R11: formula({
    title: 'tiled matmul',
    text: 'FLOPs = 2 tm tn tk bm bn bk; bytes = 2 tm tn (tk(bm bk + bk bn) + bm bn); without output I = bm bn/(bm+bn)',
    variables: {
      rowTiles: number('1', 'tm, tiles along the rows', 1),
      columnTiles: number('1', 'tn, tiles along the columns', 1),
      contractionTiles: number('1', 'tk, tiles along the contraction', 1),
      tileRows: number('1', 'bm, rows of a tile'),
      tileColumns: number('1', 'bn, columns of a tile'),
      tileContraction: number('1', 'bk, contraction of a tile', 128),
      bytesPerElement: number('B', 'bytes per element', 2),
    },
    outputs: { flops: 'FLOP', bytes: 'B', intensity: 'FLOP/B', intensityWithoutOutput: 'FLOP/B' },
    by: { tiledMatmul, tileIntensity },
    evaluate: (v) => ({
      ...tiledMatmul(v),
      intensityWithoutOutput: tileIntensity(v.tileRows, v.tileColumns, v.bytesPerElement),
    }),
  }),
  R12: formula({
    title: 'attainable rate at an intensity',
    text: 'P(I) = min(C, I W)',
    variables: { intensity: number('FLOP/B', 'intensity of the algorithm'), peakFlopsPerSecond, bytesPerSecond },
    outputs: { flopsPerSecond: 'FLOP/s' },
    by: { attainableFlopsPerSecond },
    evaluate: (v) => ({
      flopsPerSecond: attainableFlopsPerSecond(v.intensity, v.peakFlopsPerSecond, v.bytesPerSecond),
    }),
  }),
})
