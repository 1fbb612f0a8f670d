import type { KernelParameters } from '../kernelParameters.ts'

export const h800: KernelParameters = {
  accelerator: 'h800',
  source: 'kernel tables of InferSim (Apache-2.0), commit f2293dab6d23',
  peaks: {
    flopsPerSecond: {
      bf16: 989000000000000,
      fp8: 1979000000000000,
      int8: 1979000000000000,
      'fp8-block': 1979000000000000,
    },
    hbmBytesPerSecond: 3350000000000,
    l2Bytes: 50000000,
  },
  gemm: {
    'fp8-block': {
      computeEfficiency: 0.751,
      memoryEfficiency: 0.7843,
      fixedSeconds: 0.000004016,
      norm: 2.523,
      secondsPerInput: 7.797e-10,
      quantisationEfficiency: 1.2,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.9583,
      fixedSeconds: 0.00002379,
      coldSeconds: 1e-9,
    },
  },
  prefillAttention: {},
  latentDecode: {
    bf16: {
      computeEfficiency: 0.6471,
      memoryEfficiency: 1.2,
      fixedSeconds: 0.0000208,
      norm: 2.193,
    },
  },
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
