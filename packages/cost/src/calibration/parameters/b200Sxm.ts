import type { KernelParameters } from '../kernelParameters.ts'

export const b200Sxm: KernelParameters = {
  accelerator: 'b200-sxm',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 2250000000000000,
      fp8: 4500000000000000,
      int8: 4500000000000000,
      'fp8-block': 4500000000000000,
      nvfp4: 9000000000000000,
    },
    hbmBytesPerSecond: 8000000000000,
    l2Bytes: 126000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.7283,
      memoryEfficiency: 0.8204,
      fixedSeconds: 0.000002428,
      norm: 1.829,
      secondsPerInput: 6.724e-10,
    },
    fp8: {
      computeEfficiency: 0.702,
      memoryEfficiency: 0.82,
      fixedSeconds: 0.000005706,
      norm: 1.313,
      secondsPerInput: 5.514e-10,
      quantisationEfficiency: 0.1623,
    },
    'fp8-block': {
      computeEfficiency: 0.695,
      memoryEfficiency: 0.516,
      fixedSeconds: 0.00001488,
      norm: 2.015,
      secondsPerInput: 6.679e-10,
      quantisationEfficiency: 0.8492,
    },
    nvfp4: {
      computeEfficiency: 0.5273,
      memoryEfficiency: 0.7287,
      fixedSeconds: 0.000004451,
      norm: 1.387,
      secondsPerInput: 5.77e-10,
      quantisationEfficiency: 0.5547,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.9356,
      fixedSeconds: 0.000009747,
      coldSeconds: 0.000004501,
    },
    fp8: {
      memoryEfficiency: 0.898,
      fixedSeconds: 0.00001059,
      coldSeconds: 0.000004385,
    },
  },
  prefillAttention: {
    fp8: {
      headSizeExponent: 0.5811,
      computeEfficiency: 0.6998,
      memoryEfficiency: 0.1735,
      fixedSeconds: 0.00001277,
      halfEfficiencyTokens: 0.01002,
    },
    bf16: {
      headSizeExponent: 0.5535,
      computeEfficiency: 0.5991,
      memoryEfficiency: 0.2634,
      fixedSeconds: 0.00001308,
      halfEfficiencyTokens: 0.01001,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.7059,
      fixedSeconds: 0.00001351,
      norm: 1.262,
    },
    fp8: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.8428,
      fixedSeconds: 0.00001217,
      norm: 0.8544,
    },
  },
  latentPrefill: {
    bf16: {
      computeEfficiency: 0.6272,
      memoryEfficiency: 0.3209,
      fixedSeconds: 0.00001495,
      norm: 0.8058,
    },
    fp8: {
      computeEfficiency: 0.8284,
      memoryEfficiency: 0.1848,
      fixedSeconds: 0.00002316,
      norm: 0.8,
    },
  },
  fewExperts: {
    'fp8-block': {
      widthTile: 1,
      computeEfficiency: 0.2642,
      memoryEfficiency: 0.653,
      fixedSeconds: 0.00003182,
      norm: 4.142,
      secondsPerVisit: 3.298e-8,
      skewMemory: 1.162,
      skewCompute: 1.097,
    },
    bf16: {
      widthTile: 256,
      computeEfficiency: 0.2596,
      memoryEfficiency: 0.6713,
      fixedSeconds: 0.00005586,
      norm: 2.687,
      secondsPerVisit: 4.441e-9,
      skewMemory: 1.025,
      skewCompute: 1.185,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 128,
      computeEfficiency: 0.8684,
      memoryEfficiency: 0.8546,
      fixedSeconds: 0.0000247,
      norm: 0.8,
      secondsPerVisit: 3.275e-9,
      skewMemory: 0.8777,
      skewCompute: 2.079,
    },
    nvfp4: {
      widthTile: 128,
      computeEfficiency: 1.3,
      memoryEfficiency: 0.8839,
      fixedSeconds: 0.00001785,
      norm: 1.173,
      secondsPerVisit: 1.559e-9,
      skewMemory: 1.011,
      skewCompute: 1.646,
    },
    bf16: {
      widthTile: 128,
      computeEfficiency: 1.3,
      memoryEfficiency: 0.8746,
      fixedSeconds: 0.00001171,
      norm: 1.097,
      secondsPerVisit: 1.547e-9,
      skewMemory: 0.9769,
      skewCompute: 1.029,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.19.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006571,
          bytesPerSecond: 561200000000,
          secondsPerRootByte: 2.998e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006897,
          bytesPerSecond: 634300000000,
          secondsPerRootByte: 3.295e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000007334,
          bytesPerSecond: 766600000000,
          secondsPerRootByte: 4.444e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.24.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006463,
          bytesPerSecond: 580300000000,
          secondsPerRootByte: 3.719e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006535,
          bytesPerSecond: 748200000000,
          secondsPerRootByte: 5.891e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000007402,
          bytesPerSecond: 763000000000,
          secondsPerRootByte: 4.287e-9,
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
          fixedSeconds: 0.000009133,
          bytesPerSecond: 622600000000,
          secondsPerRootByte: 4.459e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001424,
          bytesPerSecond: 707000000000,
          secondsPerRootByte: 4.33e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002538,
          bytesPerSecond: 809400000000,
          secondsPerRootByte: 6.927e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.27.5',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000009773,
          bytesPerSecond: 582800000000,
          secondsPerRootByte: 4.006e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.0000151,
          bytesPerSecond: 705200000000,
          secondsPerRootByte: 4.397e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002556,
          bytesPerSecond: 760800000000,
          secondsPerRootByte: 5.33e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.28.9',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.00001021,
          bytesPerSecond: 564100000000,
          secondsPerRootByte: 2.895e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001521,
          bytesPerSecond: 708100000000,
          secondsPerRootByte: 4.366e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002623,
          bytesPerSecond: 839900000000,
          secondsPerRootByte: 7.208e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.29.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.00001015,
          bytesPerSecond: 566300000000,
          secondsPerRootByte: 2.326e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001503,
          bytesPerSecond: 718300000000,
          secondsPerRootByte: 4.223e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002469,
          bytesPerSecond: 835000000000,
          secondsPerRootByte: 6.867e-9,
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
