import type { KernelParameters } from '../kernelParameters.ts'

export const gb300: KernelParameters = {
  accelerator: 'gb300',
  source: 'kernel tables of NVIDIA aiconfigurator (Apache-2.0), commit 095f58a51c4c',
  peaks: {
    flopsPerSecond: {
      bf16: 2500000000000000,
      fp8: 5000000000000000,
      int8: 5000000000000000,
      'fp8-block': 5000000000000000,
      nvfp4: 15000000000000000,
    },
    hbmBytesPerSecond: 8000000000000,
    l2Bytes: 126000000,
  },
  gemm: {
    bf16: {
      computeEfficiency: 0.805,
      memoryEfficiency: 0.8185,
      fixedSeconds: 0.000002488,
      norm: 1.897,
      secondsPerInput: 5.706e-10,
    },
    fp8: {
      computeEfficiency: 0.8344,
      memoryEfficiency: 0.8214,
      fixedSeconds: 0.000005756,
      norm: 1.275,
      secondsPerInput: 5.025e-10,
      quantisationEfficiency: 0.1629,
    },
  },
  decodeAttention: {
    bf16: {
      memoryEfficiency: 0.9523,
      fixedSeconds: 0.000009792,
      coldSeconds: 0.000004694,
    },
    fp8: {
      memoryEfficiency: 0.9455,
      fixedSeconds: 0.00001058,
      coldSeconds: 0.000005105,
    },
  },
  prefillAttention: {
    bf16: {
      headSizeExponent: 0.5238,
      computeEfficiency: 0.7679,
      memoryEfficiency: 0.2894,
      fixedSeconds: 0.00001195,
      halfEfficiencyTokens: 0.01,
    },
    fp8: {
      headSizeExponent: 0.5513,
      computeEfficiency: 0.9847,
      memoryEfficiency: 0.2229,
      fixedSeconds: 0.00001272,
      halfEfficiencyTokens: 0.01,
    },
  },
  latentDecode: {
    bf16: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.6873,
      fixedSeconds: 0.00001338,
      norm: 3.146,
    },
    fp8: {
      computeEfficiency: 1.3,
      memoryEfficiency: 0.8126,
      fixedSeconds: 0.00001243,
      norm: 1.125,
    },
  },
  latentPrefill: {
    fp8: {
      computeEfficiency: 1.163,
      memoryEfficiency: 0.2058,
      fixedSeconds: 0.0000206,
      norm: 0.8,
    },
    bf16: {
      computeEfficiency: 0.7155,
      memoryEfficiency: 0.3859,
      fixedSeconds: 0.00001483,
      norm: 0.8,
    },
  },
  fewExperts: {
    'fp8-block': {
      widthTile: 1,
      computeEfficiency: 0.4951,
      memoryEfficiency: 0.8429,
      fixedSeconds: 0.00002017,
      norm: 0.8,
      secondsPerVisit: 1.073e-8,
      skewMemory: 0.9725,
      skewCompute: 1.211,
    },
    bf16: {
      widthTile: 1,
      computeEfficiency: 0.2244,
      memoryEfficiency: 0.6998,
      fixedSeconds: 0.00005343,
      norm: 4.049,
      secondsPerVisit: 3.056e-9,
      skewMemory: 0.9667,
      skewCompute: 1.034,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 64,
      computeEfficiency: 0.6976,
      memoryEfficiency: 0.805,
      fixedSeconds: 0.00002641,
      norm: 0.9373,
      secondsPerVisit: 3.238e-9,
      skewMemory: 0.7733,
      skewCompute: 2.406,
    },
    nvfp4: {
      widthTile: 256,
      computeEfficiency: 1.3,
      memoryEfficiency: 1.061,
      fixedSeconds: 0.00001575,
      norm: 0.8111,
      secondsPerVisit: 1.105e-9,
      skewMemory: 0.9337,
      skewCompute: 1.394,
    },
    bf16: {
      widthTile: 128,
      computeEfficiency: 0.749,
      memoryEfficiency: 0.881,
      fixedSeconds: 0.00001219,
      norm: 8,
      secondsPerVisit: 2.173e-9,
      skewMemory: 0.9477,
      skewCompute: 1.195,
    },
  },
  smallAllReduce: [
    {
      software: 'vLLM_custom_graph',
      version: '0.14.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006523,
          bytesPerSecond: 626600000000,
          secondsPerRootByte: 4.775e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006753,
          bytesPerSecond: 788700000000,
          secondsPerRootByte: 8.002e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.19.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000005812,
          bytesPerSecond: 608600000000,
          secondsPerRootByte: 4.216e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006235,
          bytesPerSecond: 717400000000,
          secondsPerRootByte: 5.811e-9,
        },
      ],
    },
    {
      software: 'vLLM_custom_graph',
      version: '0.24.0',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000006796,
          bytesPerSecond: 620700000000,
          secondsPerRootByte: 4.595e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.000006825,
          bytesPerSecond: 736500000000,
          secondsPerRootByte: 5.508e-9,
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
          fixedSeconds: 0.000009937,
          bytesPerSecond: 604700000000,
          secondsPerRootByte: 3.437e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001519,
          bytesPerSecond: 735100000000,
          secondsPerRootByte: 4.527e-9,
        },
      ],
    },
    {
      software: 'nccl',
      version: '2.29.2',
      byRanks: [
        {
          ranks: 2,
          fixedSeconds: 0.000009416,
          bytesPerSecond: 618300000000,
          secondsPerRootByte: 4.063e-9,
        },
        {
          ranks: 4,
          fixedSeconds: 0.00001513,
          bytesPerSecond: 554600000000,
          secondsPerRootByte: 2.835e-9,
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
