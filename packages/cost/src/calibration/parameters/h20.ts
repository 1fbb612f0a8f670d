import type { KernelParameters } from '../kernelParameters.ts'

export const h20: KernelParameters = {
  accelerator: 'h20',
  source: 'kernel tables of InferSim (Apache-2.0), commit f2293dab6d23',
  peaks: {
    flopsPerSecond: {
      bf16: 148000000000000,
      fp8: 296000000000000,
      int8: 296000000000000,
      'fp8-block': 296000000000000,
    },
    hbmBytesPerSecond: 4000000000000,
    l2Bytes: 60000000,
  },
  gemm: {
    'fp8-block': {
      computeEfficiency: 0.9063,
      memoryEfficiency: 0.4804,
      fixedSeconds: 0.000004202,
      norm: 8,
      secondsPerInput: 4.168e-10,
      quantisationEfficiency: 1.2,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.7504,
      fixedSeconds: 0.00002566,
      coldSeconds: 1e-9,
    },
    fp8: {
      memoryEfficiency: 0.4984,
      fixedSeconds: 0.000009449,
      coldSeconds: 0.00000891,
    },
  },
  prefillAttention: {
    bf16: {
      computeEfficiency: 0.9367,
      memoryEfficiency: 0.1685,
      fixedSeconds: 0.00001687,
      halfEfficiencyTokens: 0.01,
      headSizeExponent: 0.04029,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 0.7301,
      memoryEfficiency: 1.2,
      fixedSeconds: 0.00002138,
      norm: 2.289,
    },
  },
  latentPrefill: {},
  fewExperts: {},
  manyExperts: {
    'fp8-block': {
      widthTile: 256,
      computeEfficiency: 0.8674,
      memoryEfficiency: 1.1,
      fixedSeconds: 0.00004215,
      norm: 2.017,
      secondsPerVisit: 6.264e-9,
      skewMemory: 0.5,
      skewCompute: 0.8258,
    },
  },
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
