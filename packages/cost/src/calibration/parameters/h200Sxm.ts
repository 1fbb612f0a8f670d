import type { KernelParameters } from '../kernelParameters.ts'

export const h200Sxm: KernelParameters = {
  accelerator: 'h200-sxm',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 989000000000000,
      fp8: 1979000000000000,
      int8: 1979000000000000,
      'fp8-block': 1979000000000000,
    },
    hbmBytesPerSecond: 4800000000000,
    l2Bytes: 50000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.8036,
      memoryEfficiency: 0.8407,
      fixedSeconds: 0.000003134,
      norm: 2.232,
      secondsPerInput: 4.745e-10,
    },
    fp8: {
      computeEfficiency: 0.8583,
      memoryEfficiency: 0.9615,
      fixedSeconds: 0.000005796,
      norm: 0.9815,
      secondsPerInput: 4.411e-10,
      quantisationEfficiency: 0.1834,
    },
    'fp8-block': {
      computeEfficiency: 0.6401,
      memoryEfficiency: 0.8745,
      fixedSeconds: 0.000004027,
      norm: 1.213,
      secondsPerInput: 8.842e-10,
      quantisationEfficiency: 0.7646,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.9153,
      fixedSeconds: 0.00001287,
      coldSeconds: 0.000004493,
    },
    fp8: {
      memoryEfficiency: 0.5222,
      fixedSeconds: 0.0000149,
      coldSeconds: 0.000003093,
    },
  },
  prefillAttention: {
    fp8: {
      headSizeExponent: 0.1054,
      computeEfficiency: 0.6384,
      memoryEfficiency: 0.1938,
      fixedSeconds: 0.00001703,
      halfEfficiencyTokens: 0.01,
    },
    bf16: {
      headSizeExponent: 0.3637,
      computeEfficiency: 0.6632,
      memoryEfficiency: 0.3179,
      fixedSeconds: 0.00001356,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    fp8: {
      computeEfficiency: 0.1902,
      memoryEfficiency: 0.06159,
      fixedSeconds: 0.00002099,
      norm: 8,
    },
    bf16: {
      computeEfficiency: 0.5856,
      memoryEfficiency: 0.8718,
      fixedSeconds: 0.00001748,
      norm: 8,
    },
  },
  latentPrefill: {
    bf16: {
      computeEfficiency: 0.1883,
      memoryEfficiency: 0.1752,
      fixedSeconds: 0.00001322,
      norm: 1.091,
    },
    fp8: {
      computeEfficiency: 0.1957,
      memoryEfficiency: 0.1529,
      fixedSeconds: 0.000021,
      norm: 0.8,
    },
  },
  fewExperts: {
    'fp8-block': {
      widthTile: 1,
      computeEfficiency: 0.4553,
      memoryEfficiency: 0.8448,
      fixedSeconds: 0.00002572,
      norm: 8,
      secondsPerVisit: 1.429e-8,
      skewMemory: 1.054,
      skewCompute: 1.065,
    },
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.6113,
      memoryEfficiency: 0.9948,
      fixedSeconds: 0.00003292,
      norm: 0.8,
      secondsPerVisit: 2.237e-8,
      skewMemory: 1.025,
      skewCompute: 1.133,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 256,
      computeEfficiency: 0.4083,
      memoryEfficiency: 0.8591,
      fixedSeconds: 0.00003096,
      norm: 3.61,
      secondsPerVisit: 4.647e-9,
      skewMemory: 0.8897,
      skewCompute: 1.158,
    },
    bf16: {
      widthTile: 64,
      computeEfficiency: 0.3748,
      memoryEfficiency: 0.9021,
      fixedSeconds: 0.00002527,
      norm: 1.155,
      secondsPerVisit: 8.181e-10,
      skewMemory: 0.9259,
      skewCompute: 1.002,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.14.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004384,
          bytesPerSecond: 282300000000,
          secondsPerRootByte: 3.453e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004252,
          bytesPerSecond: 353500000000,
          secondsPerRootByte: 3.136e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00000416,
          bytesPerSecond: 594200000000,
          secondsPerRootByte: 1.256e-8,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.18.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004405,
          bytesPerSecond: 294500000000,
          secondsPerRootByte: 4.67e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004384,
          bytesPerSecond: 352300000000,
          secondsPerRootByte: 2.876e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000004519,
          bytesPerSecond: 491200000000,
          secondsPerRootByte: 4.517e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.19.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004322,
          bytesPerSecond: 289200000000,
          secondsPerRootByte: 8.664e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004359,
          bytesPerSecond: 355400000000,
          secondsPerRootByte: 2.917e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000004486,
          bytesPerSecond: 492500000000,
          secondsPerRootByte: 4.765e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.24.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004408,
          bytesPerSecond: 250800000000,
          secondsPerRootByte: 1e-14,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004318,
          bytesPerSecond: 353600000000,
          secondsPerRootByte: 2.982e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000004618,
          bytesPerSecond: 488600000000,
          secondsPerRootByte: 4.183e-9,
        },
      ],
    },
  ],
  largeAllReduce: [
    {
      software: 'nccl',
      version: '2.26.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006098,
          bytesPerSecond: 327100000000,
          secondsPerRootByte: 4.668e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000009524,
          bytesPerSecond: 365000000000,
          secondsPerRootByte: 3.597e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00001597,
          bytesPerSecond: 519900000000,
          secondsPerRootByte: 7.797e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.29.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006053,
          bytesPerSecond: 330400000000,
          secondsPerRootByte: 5.039e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000009658,
          bytesPerSecond: 367400000000,
          secondsPerRootByte: 4.205e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00001592,
          bytesPerSecond: 519300000000,
          secondsPerRootByte: 7.686e-9,
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
