import type { KernelParameters } from '../kernelParameters.ts'

export const l40s: KernelParameters = {
  accelerator: 'l40s',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 362000000000000,
      fp8: 733000000000000,
      int8: 733000000000000,
      'fp8-block': 733000000000000,
    },
    hbmBytesPerSecond: 864000000000,
    l2Bytes: 96000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.6354,
      memoryEfficiency: 0.8216,
      fixedSeconds: 0.000001901,
      norm: 2.434,
      secondsPerInput: 1.491e-12,
    },
    fp8: {
      computeEfficiency: 0.5903,
      memoryEfficiency: 0.778,
      fixedSeconds: 0.000004595,
      norm: 1.274,
      secondsPerInput: 5.847e-10,
      quantisationEfficiency: 0.9826,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.984,
      fixedSeconds: 0.00001091,
      coldSeconds: 0.00004,
    },
    fp8: {
      memoryEfficiency: 1.091,
      fixedSeconds: 0.00001069,
      coldSeconds: 0.00004,
    },
  },
  prefillAttention: {
    bf16: {
      headSizeExponent: 0.2239,
      computeEfficiency: 0.5106,
      memoryEfficiency: 1.293,
      fixedSeconds: 0.000007022,
      halfEfficiencyTokens: 0.01,
    },
    fp8: {
      headSizeExponent: 0.001,
      computeEfficiency: 0.4414,
      memoryEfficiency: 1.181,
      fixedSeconds: 0.00001325,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 0.1258,
      memoryEfficiency: 0.8169,
      fixedSeconds: 0.00001733,
      norm: 2.033,
    },
  },
  latentPrefill: {
    bf16: {
      computeEfficiency: 0.06135,
      memoryEfficiency: 0.525,
      fixedSeconds: 0.00001301,
      norm: 0.8,
    },
  },
  fewExperts: {
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.3261,
      memoryEfficiency: 0.5362,
      fixedSeconds: 0.000001,
      norm: 7.999,
      secondsPerVisit: 1e-13,
      skewMemory: 0.9604,
      skewCompute: 1.091,
    },
  },
  manyExperts: {
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.564,
      memoryEfficiency: 0.8551,
      fixedSeconds: 0.000008475,
      norm: 0.8,
      secondsPerVisit: 1.007e-13,
      skewMemory: 0.9313,
      skewCompute: 0.9268,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.14.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000005283,
          bytesPerSecond: 19090000000,
          secondsPerRootByte: 3.709e-10,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001274,
          bytesPerSecond: 3810000000,
          secondsPerRootByte: 1e-14,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002319,
          bytesPerSecond: 1959000000,
          secondsPerRootByte: 1.002e-14,
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
          fixedSeconds: 0.000005671,
          bytesPerSecond: 21100000000,
          secondsPerRootByte: 1.692e-8,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001138,
          bytesPerSecond: 5129000000,
          secondsPerRootByte: 1.528e-9,
        },
        {
          ranks: 8,
          fixedSeconds: 0.00002032,
          bytesPerSecond: 1489000000,
          secondsPerRootByte: 1.992e-8,
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
