import type { KernelParameters } from '../kernelParameters.ts'

export const a100Sxm: KernelParameters = {
  accelerator: 'a100-sxm-80gb',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 312000000000000,
      int8: 624000000000000,
    },
    hbmBytesPerSecond: 2039000000000,
    l2Bytes: 40000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.7844,
      memoryEfficiency: 0.7829,
      fixedSeconds: 0.000005893,
      norm: 1.504,
      secondsPerInput: 2.265e-10,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.7588,
      fixedSeconds: 0.00002077,
      coldSeconds: 0.000005126,
    },
  },
  prefillAttention: {
    bf16: {
      headSizeExponent: 0.3,
      computeEfficiency: 0.5757,
      memoryEfficiency: 0.3978,
      fixedSeconds: 0.00001206,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 0.1005,
      memoryEfficiency: 0.4974,
      fixedSeconds: 0.0003275,
      norm: 8,
    },
  },
  latentPrefill: {
    bf16: {
      computeEfficiency: 0.5192,
      memoryEfficiency: 0.09112,
      fixedSeconds: 0.0002436,
      norm: 2.065,
    },
  },
  fewExperts: {
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.7007,
      memoryEfficiency: 0.8742,
      fixedSeconds: 0.00003756,
      norm: 1.672,
      secondsPerVisit: 5.927e-8,
      skewMemory: 1.326,
      skewCompute: 1.172,
    },
  },
  manyExperts: {
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.4888,
      memoryEfficiency: 0.9181,
      fixedSeconds: 0.00006448,
      norm: 1.138,
      secondsPerVisit: 1.408e-8,
      skewMemory: 0.951,
      skewCompute: 0.9522,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.14.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000004944,
          bytesPerSecond: 182900000000,
          secondsPerRootByte: 2.287e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000004944,
          bytesPerSecond: 220700000000,
          secondsPerRootByte: 4.787e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.000005238,
          bytesPerSecond: 219200000000,
          secondsPerRootByte: 1.067e-8,
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
          fixedSeconds: 0.0000096,
          bytesPerSecond: 227300000000,
          secondsPerRootByte: 1.292e-8,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001376,
          bytesPerSecond: 222900000000,
          secondsPerRootByte: 7.917e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002127,
          bytesPerSecond: 235600000000,
          secondsPerRootByte: 8.307e-9,
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
