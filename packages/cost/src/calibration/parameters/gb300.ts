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
      computeEfficiency: 0.4749,
      memoryEfficiency: 0.8371,
      fixedSeconds: 0.00001905,
      norm: 0.8,
      secondsPerVisit: 1.082e-8,
      skewMemory: 1.002,
      skewCompute: 1.127,
    },
    bf16: {
      widthTile: 256,
      computeEfficiency: 0.2232,
      memoryEfficiency: 0.7379,
      fixedSeconds: 0.00005089,
      norm: 3.524,
      secondsPerVisit: 3.251e-9,
      skewMemory: 1.062,
      skewCompute: 1.025,
    },
  },
  manyExperts: {
    'fp8-block': {
      widthTile: 128,
      computeEfficiency: 0.3466,
      memoryEfficiency: 0.9176,
      fixedSeconds: 0.00002402,
      norm: 1.107,
      secondsPerVisit: 2.366e-9,
      skewMemory: 0.9939,
      skewCompute: 1.282,
    },
    nvfp4: {
      widthTile: 256,
      computeEfficiency: 1.282,
      memoryEfficiency: 1.1,
      fixedSeconds: 0.00001548,
      norm: 0.8006,
      secondsPerVisit: 1.146e-9,
      skewMemory: 1.056,
      skewCompute: 1.014,
    },
    bf16: {
      widthTile: 128,
      computeEfficiency: 0.7455,
      memoryEfficiency: 0.9118,
      fixedSeconds: 0.00001212,
      norm: 8,
      secondsPerVisit: 2.169e-9,
      skewMemory: 1.01,
      skewCompute: 1.175,
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
