import type { KernelParameters } from '../kernelParameters.ts'

export const rtxPro6000: KernelParameters = {
  accelerator: 'rtx-pro-6000',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 467800000000000,
      fp8: 935600000000000,
      int8: 935600000000000,
      'fp8-block': 935600000000000,
      nvfp4: 1871000000000000,
    },
    hbmBytesPerSecond: 1792000000000,
    l2Bytes: 128000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.8556,
      memoryEfficiency: 0.8627,
      fixedSeconds: 0.000002713,
      norm: 1.7,
      secondsPerInput: 1.126e-13,
    },
    fp8: {
      computeEfficiency: 0.9093,
      memoryEfficiency: 0.8768,
      fixedSeconds: 0.000004607,
      norm: 1.694,
      secondsPerInput: 1.181e-9,
      quantisationEfficiency: 0.5351,
    },
    nvfp4: {
      computeEfficiency: 0.6778,
      memoryEfficiency: 0.7731,
      fixedSeconds: 0.000004068,
      norm: 3.356,
      secondsPerInput: 3.367e-9,
      quantisationEfficiency: 0.9377,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.875,
      fixedSeconds: 0.00001303,
      coldSeconds: 1.029e-9,
    },
    fp8: {
      memoryEfficiency: 1.2,
      fixedSeconds: 0.00001114,
      coldSeconds: 1e-9,
    },
  },
  prefillAttention: {
    bf16: {
      headSizeExponent: 0.2388,
      computeEfficiency: 0.6336,
      memoryEfficiency: 0.7602,
      fixedSeconds: 0.00000807,
      halfEfficiencyTokens: 0.01,
    },
    fp8: {
      headSizeExponent: 0.001,
      computeEfficiency: 0.5503,
      memoryEfficiency: 0.9084,
      fixedSeconds: 0.00001339,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 0.113,
      memoryEfficiency: 0.6427,
      fixedSeconds: 0.00002473,
      norm: 2.68,
    },
  },
  latentPrefill: {
    bf16: {
      computeEfficiency: 0.06326,
      memoryEfficiency: 0.4457,
      fixedSeconds: 0.00001943,
      norm: 0.8,
    },
  },
  fewExperts: {
    'fp8-block': {
      widthTile: 1,
      computeEfficiency: 0.6074,
      memoryEfficiency: 0.8224,
      fixedSeconds: 0.00003102,
      norm: 3.789,
      secondsPerVisit: 1.134e-8,
      skewMemory: 0.9708,
      skewCompute: 0.9412,
    },
    bf16: {
      widthTile: 128,
      computeEfficiency: 0.4898,
      memoryEfficiency: 0.8107,
      fixedSeconds: 0.000001,
      norm: 4.344,
      secondsPerVisit: 1e-13,
      skewMemory: 1.459,
      skewCompute: 0.986,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 1,
      computeEfficiency: 0.6397,
      memoryEfficiency: 0.837,
      fixedSeconds: 0.00002533,
      norm: 3.01,
      secondsPerVisit: 4.356e-9,
      skewMemory: 0.9158,
      skewCompute: 1.204,
    },
    nvfp4: {
      widthTile: 64,
      computeEfficiency: 0.5604,
      memoryEfficiency: 0.8595,
      fixedSeconds: 0.00006926,
      norm: 8,
      secondsPerVisit: 9.035e-9,
      skewMemory: 1.007,
      skewCompute: 0.7227,
    },
    bf16: {
      widthTile: 128,
      computeEfficiency: 1.3,
      memoryEfficiency: 0.8425,
      fixedSeconds: 0.000009627,
      norm: 1.012,
      secondsPerVisit: 7.459e-13,
      skewMemory: 0.913,
      skewCompute: 1.211,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.19.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.0000169,
          bytesPerSecond: 15630000000,
          secondsPerRootByte: 8.239e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.24.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004255,
          bytesPerSecond: 37490000000,
          secondsPerRootByte: 2.779e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.0000117,
          bytesPerSecond: 30230000000,
          secondsPerRootByte: 1.669e-8,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002324,
          bytesPerSecond: 25100000000,
          secondsPerRootByte: 2.841e-8,
        },
      ],
    },
  ],
  largeAllReduce: [
    {
      software: 'nccl',
      version: '2.29.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000005823,
          bytesPerSecond: 38490000000,
          secondsPerRootByte: 9.612e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001237,
          bytesPerSecond: 26460000000,
          secondsPerRootByte: 1.129e-8,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002122,
          bytesPerSecond: 26290000000,
          secondsPerRootByte: 6.257e-8,
        },
      ],
    },
  ],
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
