import type { KernelParameters } from '../kernelParameters.ts'

export const b300Sxm: KernelParameters = {
  accelerator: 'b300-sxm',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 2250000000000000,
      fp8: 4500000000000000,
      int8: 4500000000000000,
      'fp8-block': 4500000000000000,
      nvfp4: 13500000000000000,
    },
    hbmBytesPerSecond: 8000000000000,
    l2Bytes: 126000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.7967,
      memoryEfficiency: 0.7931,
      fixedSeconds: 0.000002207,
      norm: 2.076,
      secondsPerInput: 7.239e-10,
    },
    fp8: {
      computeEfficiency: 0.8188,
      memoryEfficiency: 0.786,
      fixedSeconds: 0.000005336,
      norm: 1.418,
      secondsPerInput: 5.333e-10,
      quantisationEfficiency: 0.1463,
    },
    'fp8-block': {
      computeEfficiency: 0.8801,
      memoryEfficiency: 0.5142,
      fixedSeconds: 0.0000133,
      norm: 1.686,
      secondsPerInput: 5.28e-10,
      quantisationEfficiency: 0.9728,
    },
    nvfp4: {
      computeEfficiency: 0.4503,
      memoryEfficiency: 0.7886,
      fixedSeconds: 0.000003915,
      norm: 1.243,
      secondsPerInput: 5.213e-10,
      quantisationEfficiency: 0.5569,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.9351,
      fixedSeconds: 0.000009132,
      coldSeconds: 0.000004803,
    },
    fp8: {
      memoryEfficiency: 0.8981,
      fixedSeconds: 0.000009833,
      coldSeconds: 0.000004393,
    },
  },
  prefillAttention: {
    bf16: {
      headSizeExponent: 0.4747,
      computeEfficiency: 0.7373,
      memoryEfficiency: 0.2845,
      fixedSeconds: 0.00001119,
      halfEfficiencyTokens: 0.01,
    },
    fp8: {
      headSizeExponent: 0.4864,
      computeEfficiency: 0.9384,
      memoryEfficiency: 0.2126,
      fixedSeconds: 0.00001292,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    fp8: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.804,
      fixedSeconds: 0.00001157,
      norm: 1.393,
    },
    bf16: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.6866,
      fixedSeconds: 0.00001208,
      norm: 1.54,
    },
  },
  latentPrefill: {
    fp8: {
      computeEfficiency: 1.106,
      memoryEfficiency: 0.2053,
      fixedSeconds: 0.00001994,
      norm: 0.8,
    },
    bf16: {
      computeEfficiency: 0.6889,
      memoryEfficiency: 0.3664,
      fixedSeconds: 0.00001259,
      norm: 0.8,
    },
  },
  fewExperts: {
    'fp8-block': {
      widthTile: 256,
      computeEfficiency: 0.2592,
      memoryEfficiency: 0.6464,
      fixedSeconds: 0.00003665,
      norm: 4.887,
      secondsPerVisit: 1.71e-8,
      skewMemory: 1.004,
      skewCompute: 1.134,
    },
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.2309,
      memoryEfficiency: 0.7253,
      fixedSeconds: 0.00005063,
      norm: 2.623,
      secondsPerVisit: 2.827e-9,
      skewMemory: 1.079,
      skewCompute: 1.013,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 1,
      computeEfficiency: 1.106,
      memoryEfficiency: 0.8123,
      fixedSeconds: 0.00002413,
      norm: 0.8,
      secondsPerVisit: 4.086e-9,
      skewMemory: 0.8878,
      skewCompute: 2.126,
    },
    nvfp4: {
      widthTile: 256,
      computeEfficiency: 1.3,
      memoryEfficiency: 1.005,
      fixedSeconds: 0.00001634,
      norm: 0.8,
      secondsPerVisit: 8.329e-10,
      skewMemory: 0.9697,
      skewCompute: 1.397,
    },
    bf16: {
      widthTile: 128,
      computeEfficiency: 1.3,
      memoryEfficiency: 0.8733,
      fixedSeconds: 0.00001312,
      norm: 1.927,
      secondsPerVisit: 1.727e-9,
      skewMemory: 0.9676,
      skewCompute: 1.771,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.19.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006354,
          bytesPerSecond: 636400000000,
          secondsPerRootByte: 5.817e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006247,
          bytesPerSecond: 691600000000,
          secondsPerRootByte: 4.859e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000006837,
          bytesPerSecond: 832400000000,
          secondsPerRootByte: 6.562e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.24.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006443,
          bytesPerSecond: 609200000000,
          secondsPerRootByte: 4.349e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006422,
          bytesPerSecond: 718900000000,
          secondsPerRootByte: 5.619e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000006725,
          bytesPerSecond: 899100000000,
          secondsPerRootByte: 7.617e-9,
        },
      ],
    },
  ],
  largeAllReduce: [
    {
      software: 'nccl',
      version: '2.27',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000009367,
          bytesPerSecond: 625200000000,
          secondsPerRootByte: 4.228e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001442,
          bytesPerSecond: 743100000000,
          secondsPerRootByte: 4.842e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002584,
          bytesPerSecond: 571100000000,
          secondsPerRootByte: 3.852e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.29.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000009722,
          bytesPerSecond: 627200000000,
          secondsPerRootByte: 3.785e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001446,
          bytesPerSecond: 779600000000,
          secondsPerRootByte: 5.257e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002472,
          bytesPerSecond: 732400000000,
          secondsPerRootByte: 4.577e-9,
        },
      ],
    },
  ],
  elementwise: {
    secondsPerPass: 0.0000018,
    memoryEfficiency: 0.75,
  },
  // Fitted on iteration times of Qwen3-32B under vLLM 0.20.1 with tensor parallelism 1, 2 and 8.
  serving: {
    matmulCompute: 1.15,
    matmulMemory: 1.05,
    unevenContexts: 1.75,
  },
}
