import type { Accelerator } from '@windtunnel/hardware'
import type { KernelParameters } from './kernelParameters.ts'
import { peaksOf } from './kernels/peaks.ts'

const gemm = { computeEfficiency: 0.75, memoryEfficiency: 0.8, fixedSeconds: 3e-6, norm: 2, secondsPerInput: 5e-10 }
const attention = { memoryEfficiency: 0.8, fixedSeconds: 8e-6, coldSeconds: 0 }
const prefill = {
  computeEfficiency: 0.55,
  memoryEfficiency: 0.4,
  fixedSeconds: 8e-6,
  halfEfficiencyTokens: 60,
  headSizeExponent: 0.3,
}
const latent = { computeEfficiency: 0.5, memoryEfficiency: 0.65, fixedSeconds: 1.2e-5, norm: 4 }
const experts = {
  computeEfficiency: 0.45,
  memoryEfficiency: 0.75,
  fixedSeconds: 2e-5,
  norm: 2,
  secondsPerVisit: 2e-9,
  skewMemory: 0.9,
  skewCompute: 1.3,
  widthTile: 128,
}

/**
 * Parameters for an accelerator without measured kernels and without a measured relative: typical efficiencies of the
 * accelerators that were measured (three quarters of the FLOP/s, four fifths of the bandwidth), on its own datasheet.
 */
export const genericParameters = (accelerator: Accelerator): KernelParameters => ({
  accelerator: accelerator.name,
  source: 'typical efficiencies of the measured accelerators',
  peaks: peaksOf(accelerator),
  gemm: { bf16: gemm, fp8: { ...gemm, quantisationEfficiency: 0.4 } },
  decodeAttention: { bf16: attention },
  prefillAttention: { bf16: prefill },
  latentDecode: { bf16: latent },
  latentPrefill: { bf16: { ...latent, norm: 1.2 } },
  fewExperts: { bf16: experts },
  manyExperts: { bf16: experts },
  smallAllReduce: [],
  largeAllReduce: [],
  elementwise: { secondsPerPass: 1.8e-6, memoryEfficiency: 0.75 },
  serving: { matmulCompute: 1, matmulMemory: 1, unevenContexts: 1 },
})
