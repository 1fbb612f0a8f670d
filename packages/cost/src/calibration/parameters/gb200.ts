import type { KernelParameters } from '../kernelParameters.ts'

export const gb200: KernelParameters = {
  accelerator: 'gb200',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 2500000000000000,
      fp8: 5000000000000000,
      int8: 5000000000000000,
      'fp8-block': 5000000000000000,
      nvfp4: 10000000000000000,
    },
    hbmBytesPerSecond: 8000000000000,
    l2Bytes: 126000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.7069,
      memoryEfficiency: 0.8356,
      fixedSeconds: 0.000002514,
      norm: 1.998,
      secondsPerInput: 6.728e-10,
    },
    fp8: {
      computeEfficiency: 0.7979,
      memoryEfficiency: 0.8233,
      fixedSeconds: 0.000005746,
      norm: 1.247,
      secondsPerInput: 5.118e-10,
      quantisationEfficiency: 0.1547,
    },
    'fp8-block': {
      computeEfficiency: 0.6704,
      memoryEfficiency: 0.537,
      fixedSeconds: 0.00001367,
      norm: 1.687,
      secondsPerInput: 5.873e-10,
      quantisationEfficiency: 0.9307,
    },
    nvfp4: {
      computeEfficiency: 0.5582,
      memoryEfficiency: 0.7882,
      fixedSeconds: 0.000003962,
      norm: 1.204,
      secondsPerInput: 5.205e-10,
      quantisationEfficiency: 0.5465,
    },
  },
  decodeAttention: {
    fp8: {
      memoryEfficiency: 0.955,
      fixedSeconds: 0.00001103,
      coldSeconds: 0.000005218,
    },
    bf16: {
      memoryEfficiency: 0.9921,
      fixedSeconds: 0.0000104,
      coldSeconds: 0.000004414,
    },
  },
  prefillAttention: {
    fp8: {
      headSizeExponent: 0.5809,
      computeEfficiency: 0.6632,
      memoryEfficiency: 0.1931,
      fixedSeconds: 0.0000147,
      halfEfficiencyTokens: 0.01,
    },
    bf16: {
      headSizeExponent: 0.5714,
      computeEfficiency: 0.5681,
      memoryEfficiency: 0.2761,
      fixedSeconds: 0.00001404,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.7246,
      fixedSeconds: 0.00001368,
      norm: 1.057,
    },
    fp8: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.8423,
      fixedSeconds: 0.00001331,
      norm: 1.025,
    },
  },
  latentPrefill: {
    bf16: {
      computeEfficiency: 0.5359,
      memoryEfficiency: 0.352,
      fixedSeconds: 0.00001637,
      norm: 0.8,
    },
    fp8: {
      computeEfficiency: 0.7331,
      memoryEfficiency: 0.1924,
      fixedSeconds: 0.00002212,
      norm: 0.8,
    },
  },
  fewExperts: {
    'fp8-block': {
      widthTile: 256,
      computeEfficiency: 0.2276,
      memoryEfficiency: 0.6691,
      fixedSeconds: 0.00003691,
      norm: 3.04,
      secondsPerVisit: 1.403e-8,
      skewMemory: 1.063,
      skewCompute: 1.044,
    },
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.2171,
      memoryEfficiency: 0.6951,
      fixedSeconds: 0.0000742,
      norm: 7.164,
      secondsPerVisit: 1.942e-9,
      skewMemory: 0.5,
      skewCompute: 1.067,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 128,
      computeEfficiency: 0.2849,
      memoryEfficiency: 0.8577,
      fixedSeconds: 0.00002182,
      norm: 1.603,
      secondsPerVisit: 4.187e-9,
      skewMemory: 1.023,
      skewCompute: 1.179,
    },
    nvfp4: {
      widthTile: 256,
      computeEfficiency: 1.3,
      memoryEfficiency: 1.1,
      fixedSeconds: 0.00001641,
      norm: 0.8,
      secondsPerVisit: 1.229e-9,
      skewMemory: 0.9205,
      skewCompute: 1.512,
    },
    bf16: {
      widthTile: 128,
      computeEfficiency: 0.4819,
      memoryEfficiency: 0.9262,
      fixedSeconds: 0.0000143,
      norm: 4.619,
      secondsPerVisit: 1.833e-9,
      skewMemory: 0.9575,
      skewCompute: 0.9717,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.14.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006419,
          bytesPerSecond: 615000000000,
          secondsPerRootByte: 4.56e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006917,
          bytesPerSecond: 793500000000,
          secondsPerRootByte: 8.43e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.19.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004472,
          bytesPerSecond: 193200000000,
          secondsPerRootByte: 1.148e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00000487,
          bytesPerSecond: 569300000000,
          secondsPerRootByte: 2.877e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.24.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000005095,
          bytesPerSecond: 180200000000,
          secondsPerRootByte: 1e-14,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004762,
          bytesPerSecond: 598400000000,
          secondsPerRootByte: 4.1e-9,
        },
      ],
    },
  ],
  largeAllReduce: [
    {
      software: 'nccl',
      version: '2.23',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.00001053,
          bytesPerSecond: 602800000000,
          secondsPerRootByte: 3.4e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001591,
          bytesPerSecond: 710400000000,
          secondsPerRootByte: 3.399e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.29.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.00001072,
          bytesPerSecond: 573100000000,
          secondsPerRootByte: 2.763e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001557,
          bytesPerSecond: 725300000000,
          secondsPerRootByte: 4.254e-9,
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
