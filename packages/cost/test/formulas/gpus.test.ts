import { check } from './checkFormula.ts'

check('G1', { sms: 132, sharedBytesPerSm: 256e3 }, { cores: 16896, sharedBytes: 33.792e6 })
check('G2', { cores: 100, clockHz: 1e9 }, { flopsPerSecond: 1e11, fusedFlopsPerSecond: 2e11, clockOfFusedPeak: 1e9 })
// A100: 108 SMs at 1.41 GHz; 4 tensor cores of 512 FLOP a cycle each are 311.9e12.
check('G3', { peakFlopsPerSecond: 108 * 4 * 512 * 1.41e9, sms: 108, clockHz: 1.41e9 }, { flopsPerCycle: 512 })
check('G4', { registersPerThread: 256 }, { registerBytes: 262144, warps: 8 })
check('G4', { registersPerThread: 16 }, { warps: 64 })
check('G5', { ports: 18, linkBytesPerSecond: 25e9 }, { bytesPerSecond: 450e9 })
// H100: the switches could carry 4*64*25e9 = 6.4e12, the GPUs send 8*450e9.
check(
  'G6',
  { switches: 4, portsPerSwitch: 64, portBytesPerSecond: 25e9, gpus: 8, gpuEgressBytesPerSecond: 450e9 },
  { switchBytesPerSecond: 6.4e12, gpuBytesPerSecond: 3.6e12, bytesPerSecond: 3.6e12 },
)
check('G7', { gpus: 8, gpuEgressBytesPerSecond: 450e9 }, { bytesPerSecond: 3.6e12 })
check(
  'G8',
  { bytes: 80, gpus: 8, gpuBytesPerSecond: 10 },
  { allGatherSeconds: 7, reduceScatterSeconds: 7, allReduceSeconds: 14, roundedSeconds: 8 },
)
// A small array takes the three hops of a tree over eight GPUs.
check('G8', { bytes: 0.8, gpus: 8, gpuBytesPerSecond: 10, hopSeconds: 1 }, { allGatherSeconds: 3, allReduceSeconds: 6 })
check('G9', { bytes: 640, gpus: 8, gpuBytesPerSecond: 10 }, { seconds: 7, roundedSeconds: 8 })
// k = 2 of 8: a quarter; two random choices reach 1 - (7/8)^2 = 15/64.
check(
  'G10',
  { bytes: 640, gpus: 8, gpuBytesPerSecond: 10, destinations: 2 },
  { share: 0.25, exactShare: 15 / 64, seconds: 1.75, roundedSeconds: 2, randomSeconds: (7 * 15) / 64 },
)
check('G11', { bytes: 80, gpuBytesPerSecond: 10, innerShards: 2 }, { seconds: 4, predictedGain: 0.75 })
// 8*450/7, 32*400/31.
check(
  'G12',
  { bytes: 1e9, degrees: [8, 32], linkBytesPerSecond: [450e9, 400e9] },
  {
    bytesPerSecond: (32 * 400e9) / 31,
    binding: 'level 2',
    seconds: 31 / 12800,
    allReduceSeconds: 31 / 6400,
  },
)
check('G13', { bytes: 16, nodes: 4, nodeBytesPerSecond: 1 }, { seconds: 3, roundedSeconds: 4 })
// Y = 16 over nodes of 8: 80/(10*8), 80*8/(4*16).
check(
  'G14',
  { bytes: 80, innerShards: 16, gpuBytesPerSecond: 10, nodeBytesPerSecond: 4 },
  { nodeSeconds: 1, scaleOutSeconds: 10, seconds: 10, allReduceSeconds: 20 },
)
// Y = 1: 7/8/(1*450e9) against 31/32/(8*50e9), times V; Y = 16: 31/32/(16*50e9).
check(
  'G15',
  { bytes: 1e9, degrees: [8, 32], gpuLevelBytesPerSecond: [450e9, 50e9] },
  { seconds: (1e9 * 31) / 32 / 400e9, allReduceSeconds: (1e9 * 31) / 32 / 200e9 },
)
check(
  'G15',
  { bytes: 1e9, innerShards: 16, degrees: [8, 32], gpuLevelBytesPerSecond: [450e9, 50e9] },
  { seconds: (1e9 * 31) / 32 / 800e9 },
)
check('G16', { bytes: 10, nodes: 4 }, { nodeIn: 10, nodeOut: 80, topIn: 10, topOut: 30, sharpIn: 80, sharpOut: 80 })
// C/W = 100; 8*B*D*F/(X*C) = 8*40*2*3/(4*100) = 4.8 against 8*D*F/W = 48.
check(
  'G17',
  { peakFlopsPerSecond: 100, collectiveBytesPerSecond: 1, batchTokens: 40, dModel: 2, dFf: 3, gpus: 4 },
  { minTokensPerGpu: 100, mathSeconds: 4.8, commsSeconds: 48, verdict: 'comms-bound' },
)
check(
  'G18',
  { peakFlopsPerSecond: 100, collectiveBytesPerSecond: 1, experts: 128, expertsPerToken: 4 },
  { minTokensPerGpu: 3200 },
)
check(
  'G19',
  { peakFlopsPerSecond: 990e12, collectiveBytesPerSecond: 400e9, dataParallelNodes: 2 },
  { minTokensPerGpu: 1237.5, factor: 0.5 },
)
check('G20', { dFf: 1000, peakFlopsPerSecond: 100, collectiveBytesPerSecond: 1 }, { ways: 10, twoNodeWays: 18 })
// Z = 32, k = 2: alpha = 100; share 8*2/32 = 1/2. T_math = 4*16*2*3*5/(32*100), T_comms = 4*16*3*24/32/2.
check(
  'G21',
  {
    batchTokens: 16,
    dModel: 3,
    dFf: 5,
    expertsPerToken: 2,
    expertGpus: 32,
    peakFlopsPerSecond: 100,
    collectiveBytesPerSecond: 1,
  },
  { mathSeconds: 0.6, commsSeconds: 72, minDff: 600, narrowMinDff: 1200, wideMinDff: 800, computeBound: false },
)
// Hop 2*B*D/(W*N_MB) = 2*8*5/(10*4) = 2; 4+3-2 = 5 hops.
check(
  'G22',
  { batchTokens: 8, dModel: 5, microbatches: 4, stages: 3, layers: 10, bytesPerSecond: 10 },
  { hops: 5, hopSeconds: 2, totalSeconds: 10, perLayerSeconds: 1, perLayerRoundedSeconds: 1.2 },
)
check(
  'G23',
  { peakFlopsPerSecond: 990e12, collectiveBytesPerSecond: 400e9, modelNodes: 8 },
  { minTokensPerGpu: 309.375, collectiveBytesPerSecond: 3.2e12 },
)
check(
  'G24',
  { gpus: 1024 },
  {
    nodes: 128,
    units: 4,
    nodeSwitches: 512,
    leaves: 32,
    totalSwitches: 560,
    nodeEgress: 400e9,
    unitFromNodes: 12.8e12,
    unitToSpines: 12.8e12,
    spineTotal: 51.2e12,
    perNodeAtSpine: 400e9,
    leafPortsDown: 32,
    leafPortsUp: 32,
    fullBisection: true,
  },
)
check('G25', {}, { bytesPerSecond: 3.6e12 })
check('G26', { sequences: 192, tokensPerSequence: 4096, gpus: 192 }, { tokens: 786432, tokensPerDevice: 4096 })
check('G27', { bytes: 80, seconds: 2, gpus: 8 }, { algorithmBytesPerSecond: 40, busBytesPerSecond: 70 })
