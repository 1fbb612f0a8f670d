import type { KernelParameters } from '../kernelParameters.ts'

export const h100Sxm: KernelParameters = {
  accelerator: 'h100-sxm',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
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
    bf16: {
      computeEfficiency: 0.816,
      memoryEfficiency: 0.8835,
      fixedSeconds: 0.000003092,
      norm: 2.283,
      secondsPerInput: 6.247e-10,
    },
    fp8: {
      computeEfficiency: 0.6733,
      memoryEfficiency: 0.926,
      fixedSeconds: 0.000005713,
      norm: 1.227,
      secondsPerInput: 5.223e-10,
      quantisationEfficiency: 0.2972,
    },
    'fp8-block': {
      computeEfficiency: 0.6827,
      memoryEfficiency: 0.8851,
      fixedSeconds: 0.000004081,
      norm: 1.415,
      secondsPerInput: 9.221e-10,
      quantisationEfficiency: 0.7726,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.9475,
      fixedSeconds: 0.00001225,
      coldSeconds: 0.000005346,
    },
    fp8: {
      memoryEfficiency: 0.7155,
      fixedSeconds: 0.00001457,
      coldSeconds: 0.000002898,
    },
  },
  prefillAttention: {
    fp8: {
      headSizeExponent: 0.06548,
      computeEfficiency: 0.6627,
      memoryEfficiency: 0.2474,
      fixedSeconds: 0.00001758,
      halfEfficiencyTokens: 0.01001,
    },
    bf16: {
      headSizeExponent: 0.3439,
      computeEfficiency: 0.6749,
      memoryEfficiency: 0.4239,
      fixedSeconds: 0.00001352,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 0.8181,
      memoryEfficiency: 0.8842,
      fixedSeconds: 0.00001664,
      norm: 2.167,
    },
    fp8: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.08217,
      fixedSeconds: 0.00002022,
      norm: 1.644,
    },
  },
  latentPrefill: {
    fp8: {
      computeEfficiency: 0.2024,
      memoryEfficiency: 0.1959,
      fixedSeconds: 0.00002154,
      norm: 0.8,
    },
    bf16: {
      computeEfficiency: 0.1881,
      memoryEfficiency: 0.2334,
      fixedSeconds: 0.00001266,
      norm: 1.04,
    },
  },
  fewExperts: {
    'fp8-block': {
      widthTile: 256,
      computeEfficiency: 0.4177,
      memoryEfficiency: 0.8798,
      fixedSeconds: 0.00002737,
      norm: 8,
      secondsPerVisit: 1.063e-8,
      skewMemory: 1.02,
      skewCompute: 1.159,
    },
    bf16: {
      widthTile: 256,
      computeEfficiency: 0.8463,
      memoryEfficiency: 0.8395,
      fixedSeconds: 0.0000184,
      norm: 8,
      secondsPerVisit: 6.653e-8,
      skewMemory: 1.131,
      skewCompute: 1.118,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 1,
      computeEfficiency: 0.3825,
      memoryEfficiency: 0.8759,
      fixedSeconds: 0.00002865,
      norm: 3.459,
      secondsPerVisit: 7.364e-9,
      skewMemory: 0.9598,
      skewCompute: 1.041,
    },
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.3136,
      memoryEfficiency: 0.9128,
      fixedSeconds: 0.00002419,
      norm: 1.355,
      secondsPerVisit: 2.067e-9,
      skewMemory: 0.9413,
      skewCompute: 1.178,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.14.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004204,
          bytesPerSecond: 305700000000,
          secondsPerRootByte: 9.755e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004335,
          bytesPerSecond: 355000000000,
          secondsPerRootByte: 3.475e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000004221,
          bytesPerSecond: 382100000000,
          secondsPerRootByte: 5.834e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.19.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004202,
          bytesPerSecond: 286200000000,
          secondsPerRootByte: 5.896e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004321,
          bytesPerSecond: 356000000000,
          secondsPerRootByte: 3.25e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000004369,
          bytesPerSecond: 477500000000,
          secondsPerRootByte: 4.932e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.24.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004145,
          bytesPerSecond: 289400000000,
          secondsPerRootByte: 8.379e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004373,
          bytesPerSecond: 344500000000,
          secondsPerRootByte: 3.066e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000004527,
          bytesPerSecond: 476000000000,
          secondsPerRootByte: 4.802e-9,
        },
      ],
    },
  ],
  largeAllReduce: [
    {
      software: 'nccl',
      version: '2.27.3',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006103,
          bytesPerSecond: 332300000000,
          secondsPerRootByte: 5.385e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000009527,
          bytesPerSecond: 371600000000,
          secondsPerRootByte: 4.67e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00001521,
          bytesPerSecond: 460500000000,
          secondsPerRootByte: 7.054e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.29.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006036,
          bytesPerSecond: 311400000000,
          secondsPerRootByte: 4.901e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000009501,
          bytesPerSecond: 369400000000,
          secondsPerRootByte: 4.538e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00001533,
          bytesPerSecond: 526100000000,
          secondsPerRootByte: 8.381e-9,
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
