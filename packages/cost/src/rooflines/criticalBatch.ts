import { requirePositive } from '../costInputError.ts'
import { criticalIntensity } from './intensity.ts'
import { type MatmulBytes, type MatmulShape, matmulBytes } from './matmul.ts'

/**
 * Tokens from which a matmul is compute-bound when the batch is much smaller than its dimensions:
 * `B_crit = (b_w / 2) C / W`, with the peak of the compute dtype. Book ch. 1 R7 and R8, ch. 7 I4.
 * v5e: 240 for bf16, 120 for int8 weights with bf16 arithmetic, 240 for int8 weights with int8 arithmetic.
 * @param peakFlopsPerSecond peak of the dtype the arithmetic runs in, FLOP/s
 * @param bytesPerSecond bandwidth the weights come through (HBM; PCIe when they are streamed from the host)
 * @param weightBytes bytes per weight
 * @returns tokens per replica of the weights, not sequences
 */
export function criticalBatch(peakFlopsPerSecond: number, bytesPerSecond: number, weightBytes = 2): number {
  requirePositive('criticalBatch', { weightBytes })
  return (weightBytes / 2) * criticalIntensity(peakFlopsPerSecond, bytesPerSecond)
}

/**
 * The same with the traffic of inputs and outputs counted:
 * `B = (b_w D F / W) / (2DF/C - (b_x D + b_o F)/W)`. Book ch. 1, R7; ch. 2, H5.
 * @returns tokens, or undefined where no batch is compute-bound
 */
export function exactCriticalBatch(
  of: Omit<MatmulShape, 'batchTokens'> &
    MatmulBytes & { readonly peakFlopsPerSecond: number; readonly bytesPerSecond: number },
): number | undefined {
  const { inputDim: d, outputDim: f, peakFlopsPerSecond: peak, bytesPerSecond } = of
  requirePositive('exactCriticalBatch', { inputDim: d, outputDim: f, peakFlopsPerSecond: peak, bytesPerSecond })
  const { inputBytes, weightBytes, outputBytes } = matmulBytes(of)
  const gainPerToken = (2 * d * f) / peak - (inputBytes * d + outputBytes * f) / bytesPerSecond
  return gainPerToken > 0 ? (weightBytes * d * f) / bytesPerSecond / gainPerToken : undefined
}

/**
 * The smallest input dimension for which any batch at all is compute-bound, for a matmul `[D, rD]`:
 * `D = C/W (b_x + r b_o) / (2r)`; with bf16 and r = F/D = 4, `1.25 C/W`. Book ch. 1 R6, ch. 2 H5.
 * @param outputPerInput the ratio F/D
 */
export function smallestComputeBoundInputDim(
  of: MatmulBytes & {
    readonly outputPerInput: number
    readonly peakFlopsPerSecond: number
    readonly bytesPerSecond: number
  },
): number {
  const { outputPerInput, peakFlopsPerSecond, bytesPerSecond } = of
  requirePositive('smallestComputeBoundInputDim', { outputPerInput })
  const { inputBytes, outputBytes } = matmulBytes(of)
  const critical = criticalIntensity(peakFlopsPerSecond, bytesPerSecond)
  return (critical * (inputBytes + outputPerInput * outputBytes)) / (2 * outputPerInput)
}
