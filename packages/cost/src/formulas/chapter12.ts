import {
  clockOfVectorPeak,
  cudaCoreFlopsPerSecond,
  cudaCores,
  leafSpineBandwidth,
  leafSpineCounts,
  measuredBandwidth,
  networkEgress,
  residentWarps,
  sharedMemoryBytes,
  switchedBisection,
  switchedNodeBandwidth,
  tensorCoreFlopsPerCycle,
} from '../gpu/index.ts'
import { tokenBatch } from '../rooflines/index.ts'
import { egressBytesPerSecond } from '../topology/index.ts'
import { gpuCollectiveFormulas } from './chapter12Collectives.ts'
import { gpuParallelismFormulas } from './chapter12Parallelism.ts'
import { chapter, formula, number } from './formula.ts'

const sms = number('1', 'streaming multiprocessors')
const clockHz = number('Hz', 'clock')
const peakFlopsPerSecond = number('FLOP/s', 'peak of one GPU')
const gpus = number('1', 'N, GPUs')
const gpuEgressBytesPerSecond = number('B/s', 'egress of one GPU, one direction')

const chips = {
  G1: formula({
    title: 'CUDA cores and shared memory of a GPU',
    text: 'cores = SMs*4*32; SMEM total = SMs*SMEM',
    variables: { sms, sharedBytesPerSm: number('B', 'shared memory of one SM', 256e3) },
    outputs: { cores: '1', sharedBytes: 'B' },
    by: { cudaCores, sharedMemoryBytes },
    evaluate: (v) => ({ cores: cudaCores(v), sharedBytes: sharedMemoryBytes(v.sms, v.sharedBytesPerSm) }),
  }),
  G2: formula({
    title: 'vector peak of a GPU',
    text: 'vector FLOP/s = cores*clock (x2 with FMA)',
    variables: { cores: number('1', 'CUDA cores (G1)'), clockHz },
    outputs: { flopsPerSecond: 'FLOP/s', fusedFlopsPerSecond: 'FLOP/s', clockOfFusedPeak: 'Hz' },
    by: { cudaCoreFlopsPerSecond, clockOfVectorPeak },
    evaluate: ({ cores, clockHz }) => {
      const fusedFlopsPerSecond = cudaCoreFlopsPerSecond(cores, clockHz, true)
      return {
        flopsPerSecond: cudaCoreFlopsPerSecond(cores, clockHz),
        fusedFlopsPerSecond,
        clockOfFusedPeak: clockOfVectorPeak(fusedFlopsPerSecond, cores),
      }
    },
  }),
  G3: formula({
    title: 'FLOP per cycle of a tensor core',
    text: 'peak/(SMs*4*clock)',
    variables: { peakFlopsPerSecond, sms, clockHz },
    outputs: { flopsPerCycle: 'FLOP/cycle' },
    by: { tensorCoreFlopsPerCycle },
    evaluate: (v) => ({ flopsPerCycle: tensorCoreFlopsPerCycle(v) }),
  }),
  G4: formula({
    title: 'warps that the registers hold',
    text: 'register_bytes_per_SM / (4*32*regs_per_thread)',
    variables: {
      registersPerThread: number('1', 'registers of a thread'),
      registersPerSm: number('1', '32-bit registers of an SM', 65536),
    },
    outputs: { registerBytes: 'B', warps: '1' },
    valid: 'at most 64',
    by: { residentWarps },
    evaluate: residentWarps,
  }),
  G5: formula({
    title: 'egress of a GPU',
    text: 'ports*link',
    variables: { ports: number('1', 'NVLink ports'), linkBytesPerSecond: number('B/s', 'one port, one direction') },
    outputs: { bytesPerSecond: 'B/s' },
    by: { egressBytesPerSecond },
    evaluate: (v) => ({ bytesPerSecond: egressBytesPerSecond(v.ports, v.linkBytesPerSecond) }),
  }),
  G6: formula({
    title: 'bandwidth of a node',
    text: 'min(switches*ports*link, GPUs*egress)',
    variables: {
      switches: number('1', 'NVSwitches'),
      portsPerSwitch: number('1', 'ports of a switch'),
      portBytesPerSecond: number('B/s', 'one port, one direction'),
      gpus,
      gpuEgressBytesPerSecond,
    },
    outputs: { bytesPerSecond: 'B/s', switchBytesPerSecond: 'B/s', gpuBytesPerSecond: 'B/s' },
    by: { switchedNodeBandwidth },
    evaluate: switchedNodeBandwidth,
  }),
  G7: formula({
    title: 'bisection of a node',
    text: 'N*egress, both directions',
    variables: { gpus, gpuEgressBytesPerSecond },
    outputs: { bytesPerSecond: 'B/s' },
    by: { switchedBisection },
    evaluate: (v) => ({ bytesPerSecond: switchedBisection(v.gpus, v.gpuEgressBytesPerSecond) }),
  }),
}

const shape = {
  gpusPerNode: number('1', 'GPUs of a node', 8),
  nodesPerUnit: number('1', 'nodes of a unit that share leaves', 32),
  leavesPerUnit: number('1', 'leaf switches of a unit', 8),
  spines: number('1', 'spine switches', 16),
}

const clusters = {
  G24: formula({
    title: 'fat tree of leaves and spines',
    text: 'node egress = links*link; unit to spine = leafs*spines*cables*link; spine total = spines*ports*link',
    variables: {
      gpus,
      ...shape,
      switchesPerNode: number('1', 'NVSwitches of a node', 4),
      linkBytesPerSecond: number('B/s', 'one cable, one direction', 50e9),
      linksPerNode: number('1', 'cables of a node', 8),
      cablesPerLeafSpine: number('1', 'cables between a leaf and a spine', 2),
      spinePorts: number('1', 'ports of a spine', 64),
    },
    outputs: {
      nodes: '1',
      units: '1',
      nodeSwitches: '1',
      leaves: '1',
      totalSwitches: '1',
      nodeEgress: 'B/s',
      unitFromNodes: 'B/s',
      unitToSpines: 'B/s',
      spineTotal: 'B/s',
      perNodeAtSpine: 'B/s',
      leafPortsDown: '1',
      leafPortsUp: '1',
      fullBisection: 'bool',
    },
    valid: 'full bisection: equal for each node at every level',
    by: { leafSpineCounts, leafSpineBandwidth },
    evaluate: (v) => {
      const counts = leafSpineCounts(v)
      return { ...counts, ...leafSpineBandwidth({ ...v, units: counts.units }) }
    },
  }),
  G25: formula({
    title: 'egress of a node or rack',
    text: 'NVL72: 4*18*400 Gb/s/8 = 3.6 TB/s',
    variables: {
      cables: number('1', 'network cables', 72),
      gigabitsPerSecond: number('Gb/s', 'one cable, one direction', 400),
    },
    outputs: { bytesPerSecond: 'B/s' },
    by: { networkEgress },
    evaluate: (v) => ({ bytesPerSecond: networkEgress(v.cables, v.gigabitsPerSecond) }),
  }),
  G26: formula({
    title: 'tokens for each GPU',
    text: 'global_batch*seq/GPUs',
    variables: {
      sequences: number('1', 'sequences of the global batch'),
      tokensPerSequence: number('tokens', 'length of a sequence'),
      gpus,
    },
    outputs: { tokens: 'tokens', tokensPerDevice: 'tokens' },
    by: { tokenBatch },
    evaluate: (v) => tokenBatch(v.sequences, v.tokensPerSequence, v.gpus),
  }),
  G27: formula({
    title: 'algorithm and bus bandwidth of a measured AllReduce',
    text: 'algo = bytes/t; bus = 2 bytes (N-1)/(N t)',
    variables: { bytes: number('B', 'array'), seconds: number('s', 'measured time'), gpus },
    outputs: { algorithmBytesPerSecond: 'B/s', busBytesPerSecond: 'B/s' },
    by: { measuredBandwidth },
    evaluate: (v) => measuredBandwidth(v.bytes, v.seconds, v.gpus),
  }),
}

export const chapter12 = chapter(12, 'GPUs', {
  ...chips,
  ...gpuCollectiveFormulas,
  ...gpuParallelismFormulas,
  ...clusters,
})
