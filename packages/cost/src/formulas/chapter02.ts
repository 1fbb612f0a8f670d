import {
  bandwidthRatio,
  matrixPeak,
  networkPerChip,
  offloadedGather,
  paddedShape,
  podTotals,
  vectorRegisterBytes,
  vectorUnitFlopsPerSecond,
  vmemCriticalIntensity,
  weightLoadSeconds,
} from '../accelerators/index.ts'
import {
  criticalBatch,
  exactCriticalBatch,
  largestIntensity,
  smallestComputeBoundInputDim,
} from '../rooflines/index.ts'
import {
  axisBytesPerSecond,
  egressBytesPerSecond,
  pointToPoint,
  sliceWraparound,
  torusHops,
} from '../topology/index.ts'
import { chapter, formula, number, numbers } from './formula.ts'

const peakFlopsPerSecond = number('FLOP/s', 'peak of one chip for the dtype of the arithmetic')
const hbmBytesPerSecond = number('B/s', 'HBM bandwidth of one chip')
const linkBytesPerSecond = number('B/s', 'one link, one direction')
const clockHz = number('Hz', 'clock')

export const chapter02 = chapter(2, 'TPUs', {
  H1: formula({
    title: 'peak of a matrix unit and of a chip',
    text: 'FLOP/cycle = 2*8*s*s/8 = 2 s^2; peak = FLOP/cycle x clock x units',
    variables: {
      rows: number('1', 'rows of the unit (128; 256 on v6e)', 128),
      columns: number('1', 'columns of the unit', 128),
      clockHz,
      units: number('1', 'matrix units of a chip', 1),
    },
    outputs: { flopsPerCycle: 'FLOP/cycle', unitFlopsPerSecond: 'FLOP/s', chipFlopsPerSecond: 'FLOP/s' },
    by: { matrixPeak },
    evaluate: matrixPeak,
  }),
  H2: formula({
    title: 'peak of a vector unit',
    text: 'VPU FLOP/s = 8*128*alus*clock',
    variables: {
      alus: number('1', 'ALUs for each of the 8 x 128 lanes'),
      clockHz,
      cores: number('1', 'cores counted', 1),
    },
    outputs: { flopsPerSecond: 'FLOP/s' },
    by: { vectorUnitFlopsPerSecond },
    evaluate: (v) => ({ flopsPerSecond: vectorUnitFlopsPerSecond(v) }),
  }),
  H3: formula({
    title: 'floor of a decode step: reading the weights',
    text: 'T >= param_bytes/(chips*W_hbm)',
    variables: { parameterBytes: number('B', 'bytes of weights'), chips: number('1', 'chips'), hbmBytesPerSecond },
    outputs: { seconds: 's' },
    valid: 'small batch, fully sharded weights',
    by: { weightLoadSeconds },
    evaluate: (v) => ({ seconds: weightLoadSeconds(v.parameterBytes, v.chips, v.hbmBytesPerSecond) }),
  }),
  H4: formula({
    title: 'totals of a pod or slice',
    text: 'hosts = prod(pod)/prod(host); totals = chips x per-chip; DCN per chip = host DCN / chips per host',
    variables: {
      podShape: numbers('chips', 'chips along each axis'),
      hostShape: numbers('chips', 'chips of a host along each axis'),
      coresPerChip: number('1', 'cores of a chip', 1),
      flopsPerSecond: number('FLOP/s', 'peak of one chip', 0),
      hbmBytes: number('B', 'HBM of one chip', 0),
      hbmBytesPerSecond: number('B/s', 'HBM bandwidth of one chip', 0),
      hostNetworkBytesPerSecond: number('B/s', 'datacentre network of one host', 0),
    },
    outputs: {
      chips: '1',
      hosts: '1',
      cores: '1',
      flopsPerSecond: 'FLOP/s',
      hbmBytes: 'B',
      hbmBytesPerSecond: 'B/s',
      networkPerChip: 'B/s',
    },
    by: { podTotals, networkPerChip },
    evaluate: (v) => {
      const totals = podTotals(v)
      return { ...totals, networkPerChip: networkPerChip(v.hostNetworkBytesPerSecond, totals.chipsPerHost) }
    },
  }),
  H5: formula({
    title: 'streaming weights over PCIe',
    text: 'compute-bound iff 2BDF/C > 2(BD+DF+BF)/W_pcie; B > C/W_pcie only if B << D',
    variables: {
      inputDim: number('1', 'D, the contracted dimension'),
      outputDim: number('1', 'F, the output dimension'),
      peakFlopsPerSecond,
      pcieBytesPerSecond: number('B/s', 'PCIe, one direction'),
    },
    outputs: {
      smallBatchTokens: 'tokens',
      batchTokens: 'tokens',
      largestIntensity: 'FLOP/B',
      reachable: 'bool',
      smallestInputDim: '1',
    },
    valid: 'bf16; no batch unless DF/(D+F) > C/W_pcie; smallestInputDim keeps F/D',
    by: { criticalBatch, exactCriticalBatch, largestIntensity, smallestComputeBoundInputDim },
    evaluate: (v) => {
      const { inputDim, outputDim, peakFlopsPerSecond: peak, pcieBytesPerSecond: bytesPerSecond } = v
      const batchTokens = exactCriticalBatch({ inputDim, outputDim, peakFlopsPerSecond: peak, bytesPerSecond })
      const outputPerInput = outputDim / inputDim
      return {
        smallBatchTokens: criticalBatch(peak, bytesPerSecond),
        batchTokens,
        largestIntensity: largestIntensity(v),
        reachable: batchTokens !== undefined,
        smallestInputDim: smallestComputeBoundInputDim({ outputPerInput, peakFlopsPerSecond: peak, bytesPerSecond }),
      }
    },
  }),
  H6: formula({
    title: 'roofline of on-chip memory',
    text: 'I_vmem = C/(22 W_hbm)',
    variables: { peakFlopsPerSecond, hbmBytesPerSecond, vmemOverHbm: number('1', 'VMEM over HBM bandwidth', 22) },
    outputs: { criticalIntensity: 'FLOP/B' },
    by: { vmemCriticalIntensity },
    evaluate: (v) => ({
      criticalIntensity: vmemCriticalIntensity(v.peakFlopsPerSecond, v.hbmBytesPerSecond, v.vmemOverHbm),
    }),
  }),
  H7: formula({
    title: 'point to point on a torus',
    text: 'T_first = hops*t_hop; T_total = bytes/(n_ports*W_oneway) + hops*t_hop',
    variables: {
      bytes: number('B', 'bytes sent'),
      shape: numbers('chips', 'chips along each axis of the slice'),
      from: numbers('1', 'coordinates of the sender, from 0'),
      to: numbers('1', 'coordinates of the receiver'),
      ports: number('1', 'links that can be used at once', 2),
      linkBytesPerSecond,
      hopSeconds: number('s', 'latency of a hop', 1e-6),
    },
    outputs: { hops: '1', firstByteSeconds: 's', bandwidthSeconds: 's', totalSeconds: 's' },
    valid: 'wraps only where the slice has wraparound (H8)',
    by: { torusHops, pointToPoint },
    evaluate: (v) => {
      const hops = torusHops({ shape: v.shape, wraps: sliceWraparound(v.shape) }, v.from, v.to)
      return { hops, ...pointToPoint({ ...v, hops }) }
    },
  }),
  H8: formula({
    title: 'which axes of a slice wrap around',
    text: '2D parts: iff axis == 16; 3D parts: iff every axis is a multiple of 4',
    variables: { shape: numbers('chips', 'chips along each axis: two for 2D parts, three for 3D parts') },
    outputs: { wraps: 'bool per axis' },
    by: { sliceWraparound },
    evaluate: (v) => ({ wraps: sliceWraparound(v.shape) }),
  }),
  H9: formula({
    title: 'bandwidth of an axis and of a chip',
    text: 'axis = 2 x one-way with wraparound, else one-way; egress = links x one-way',
    variables: {
      linkBytesPerSecond,
      links: number('1', 'links of a chip'),
      hbmBytesPerSecond: number('B/s', 'HBM bandwidth to compare one direction with', 0),
    },
    outputs: { wrappedAxis: 'B/s', openAxis: 'B/s', egress: 'B/s', hbmOverLink: '1' },
    by: { axisBytesPerSecond, egressBytesPerSecond, bandwidthRatio },
    evaluate: (v) => ({
      wrappedAxis: axisBytesPerSecond(v.linkBytesPerSecond, true),
      openAxis: axisBytesPerSecond(v.linkBytesPerSecond, false),
      egress: egressBytesPerSecond(v.links, v.linkBytesPerSecond),
      hbmOverLink: bandwidthRatio(v.hbmBytesPerSecond, v.linkBytesPerSecond),
    }),
  }),
  H10: formula({
    title: 'gather from host memory, then multiply',
    text: 'bytes/(chips*W_pcie); bytes*(n-1)/n/(inbound_links*W_oneway); bytes/W_hbm; FLOPs/C; max when pipelined',
    variables: {
      bytes: number('B', 'the array, over all hosts'),
      chips: number('1', 'chips that hold a shard'),
      pcieBytesPerSecond: number('B/s', 'PCIe of one chip'),
      inboundLinks: number('1', 'links by which bytes reach the receiver', 2),
      linkBytesPerSecond,
      hbmBytesPerSecond,
      flops: number('FLOP', 'operations on the gathered array'),
      peakFlopsPerSecond,
    },
    outputs: {
      pcieSeconds: 's',
      iciSeconds: 's',
      hbmSeconds: 's',
      mathSeconds: 's',
      bottleneck: 'verdict',
      lowerSeconds: 's',
      upperSeconds: 's',
    },
    by: { offloadedGather },
    evaluate: (v) => {
      const { stageSeconds, bottleneck, lowerSeconds, upperSeconds } = offloadedGather(v)
      const { pcie, ici, hbm, compute } = stageSeconds
      return {
        pcieSeconds: pcie,
        iciSeconds: ici,
        hbmSeconds: hbm,
        mathSeconds: compute,
        bottleneck,
        lowerSeconds,
        upperSeconds,
      }
    },
  }),
  H11: formula({
    title: 'padding of weights to the matrix unit',
    text: 'pad both weight dims to 128 (256 on v6e)',
    variables: { shape: numbers('1', 'the two weight dimensions'), side: number('1', 'side of the matrix unit', 128) },
    outputs: { padded: '1', expansion: '1' },
    by: { paddedShape },
    evaluate: (v) => {
      const { shape, expansion } = paddedShape(v.shape, [v.side, v.side])
      return { padded: shape, expansion }
    },
  }),
  H12: formula({
    title: 'bytes of vector registers',
    text: 'n_vregs*8*128*4',
    variables: { registers: number('1', 'vector registers of a core'), cores: number('1', 'cores of a chip', 1) },
    outputs: { coreBytes: 'B', chipBytes: 'B' },
    by: { vectorRegisterBytes },
    evaluate: vectorRegisterBytes,
  }),
})
