import type { KernelParameters } from '../kernelParameters.ts'

export const rtx4090: KernelParameters = {
  accelerator: 'rtx-4090',
  source: 'kernel tables of LLMServingSim (MIT), commit 5daddb21a545, vLLM 0.19',
  peaks: {
    flopsPerSecond: {
      bf16: 165200000000000,
      fp8: 330000000000000,
      int8: 330000000000000,
      'fp8-block': 330000000000000,
    },
    hbmBytesPerSecond: 1008000000000,
    l2Bytes: 72000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.9732,
      memoryEfficiency: 0.9469,
      fixedSeconds: 0.000005216,
      norm: 2.201,
      secondsPerInput: 2.236e-9,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.9201,
      fixedSeconds: 0.00001423,
      coldSeconds: 0.00001354,
    },
  },
  prefillAttention: {
    bf16: {
      headSizeExponent: 0.3,
      computeEfficiency: 0.9054,
      memoryEfficiency: 0.6086,
      fixedSeconds: 0.000006618,
      halfEfficiencyTokens: 87.56,
    },
  },
  latentDecode: {},
  latentPrefill: {},
  fewExperts: {},
  manyExperts: {},
  smallAllReduce: [],
  largeAllReduce: [],
  elementwise: {
    secondsPerPass: 0.0000018,
    memoryEfficiency: 0.75,
  },
  serving: {
    matmulCompute: 1,
    matmulMemory: 1,
    unevenContexts: 1,
  },
}
