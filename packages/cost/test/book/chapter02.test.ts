import {
  bandwidthRatio,
  criticalBatch,
  exactCriticalBatch,
  largestIntensity,
  matmulTime,
  matmulWork,
  matrixPeak,
  matrixUnitFlopsPerCycle,
  offloadedGather,
  podTotals,
  pointToPoint,
  sliceWraparound,
  smallestComputeBoundInputDim,
  torusHops,
  vectorRegisterBytes,
} from '@windtunnel/cost'
import { type Adapter, type CaseInputs, testChapter } from './bookCases.ts'

const pod: Adapter = (i) => {
  const { flopsPerSecond, hbmBytes, ...counts } = podTotals({
    podShape: i.numbers('pod'),
    hostShape: i.numbers('host'),
    coresPerChip: i.number('cores_per_chip'),
    flopsPerSecond: i.number('peak'),
    hbmBytes: i.number('hbm'),
  })
  return { ...counts, flops: flopsPerSecond, hbm: hbmBytes }
}

const pcieThreshold: Adapter = (i) => ({ B_min: criticalBatch(i.number('peak'), i.number('pcie_bw')) })

const int8Time = (i: CaseInputs, batchTokens: number) =>
  matmulTime({
    batchTokens,
    inputDim: i.number('D'),
    outputDim: i.number('F'),
    inputBytes: 1,
    weightBytes: 1,
    outputBytes: 1,
    peakFlopsPerSecond: i.number('peak_int8'),
    bytesPerSecond: i.number('hbm_bw'),
  })

testChapter(2, {
  'ch02-mxu-peak-v5e': (i) => {
    const { flopsPerCycle, unitFlopsPerSecond, chipFlopsPerSecond } = matrixPeak({
      rows: i.number('mxu_rows'),
      columns: i.number('mxu_cols'),
      lhsRows: i.number('lhs_rows'),
      cyclesPerOp: i.number('cycles_per_op'),
      clockHz: i.number('clock'),
      units: i.number('mxus'),
    })
    return { flops_per_cycle: flopsPerCycle, mxu_peak: unitFlopsPerSecond, chip_peak: chipFlopsPerSecond }
  },
  'ch02-mxu-v6e-scaling': (i) => {
    const [large, small] = [i.number('side_new'), i.number('side_old')].map((side) =>
      matrixUnitFlopsPerCycle({ rows: side, columns: side }),
    )
    return { ratio: large! / small! }
  },
  'ch02-vreg-v5p': (i) => {
    const { coreBytes, chipBytes } = vectorRegisterBytes({
      registers: i.number('vregs'),
      sublanes: i.number('sublanes'),
      lanes: i.number('lanes'),
      bytesPerElement: i.number('bytes_per_elem'),
      cores: i.number('cores'),
    })
    return { core_bytes: coreBytes, chip_bytes: chipBytes }
  },
  'ch02-q2-v5e-pod': pod,
  'ch02-q2-v5p-pod': pod,
  'ch02-q3-pcie-threshold': pcieThreshold,
  'ch02-q3-pcie-threshold-feb2025': pcieThreshold,
  'ch02-q3-pcie-exact-no-solution': (i) => {
    const matmul = { inputDim: i.number('D'), outputDim: i.number('F') }
    const bandwidths = { peakFlopsPerSecond: i.number('peak'), bytesPerSecond: i.number('pcie_bw') }
    return {
      reachable: exactCriticalBatch({ ...matmul, ...bandwidths }) !== undefined,
      max_intensity: largestIntensity(matmul),
      D_min_for_solution: smallestComputeBoundInputDim({
        outputPerInput: matmul.outputDim / matmul.inputDim,
        ...bandwidths,
      }),
    }
  },
  'ch02-q4-runtime': (i) => {
    const [small, large] = i.numbers('B').map((tokens) => int8Time(i, tokens))
    return {
      t_b128: small!.lowerSeconds,
      bound_b128: small!.bound,
      t_b512: large!.lowerSeconds,
      bound_b512: large!.bound,
    }
  },
  'ch02-q5-corner-to-corner': (i) => {
    const hops = torusHops({ shape: [4, 4], wraps: sliceWraparound([4, 4]) }, [0, 0], [3, 3])
    const { firstByteSeconds, bandwidthSeconds, totalSeconds } = pointToPoint({
      bytes: i.number('bytes'),
      ports: i.number('ports'),
      linkBytesPerSecond: i.number('link_bw'),
      hops,
      hopSeconds: i.number('hop_latency'),
    })
    return {
      bytes: i.number('bytes'),
      hops,
      t_first_byte: firstByteSeconds,
      t_bandwidth: bandwidthSeconds,
      t_total: totalSeconds,
    }
  },
  'ch02-q6-offload-gather-matmul': (i) => {
    // int8[131072,131072] in host memory, multiplied by bf16[8,131072].
    const { flops } = matmulWork({ batchTokens: 8, inputDim: 131072, outputDim: 131072, weightBytes: 1 })
    const gather = offloadedGather({
      bytes: i.number('array_bytes'),
      chips: i.number('pcie_links'),
      pcieBytesPerSecond: i.number('pcie_bw'),
      inboundLinks: i.number('inbound_links'),
      linkBytesPerSecond: i.number('link_bw'),
      hbmBytesPerSecond: i.number('hbm_bw'),
      flops,
      peakFlopsPerSecond: i.number('peak'),
    })
    return {
      t_pcie: gather.stageSeconds.pcie,
      t_ici: gather.stageSeconds.ici,
      t_hbm: gather.stageSeconds.hbm,
      flops: gather.flops,
      t_flops: gather.stageSeconds.compute,
      bottleneck: gather.bottleneck,
      t_lower_bound: gather.lowerSeconds,
    }
  },
  'ch02-wraparound-rules': (i) => {
    const slices = i.raw('slices') as readonly (readonly [string, readonly number[]])[]
    return Object.fromEntries(
      slices.map(([generation, shape]) => [`${generation}_${shape.join('x')}`, sliceWraparound(shape)]),
    )
  },
  'ch02-v5p-hbm-to-ici-ratio': (i) => ({ ratio: bandwidthRatio(i.number('hbm_bw'), i.number('ici_bw')) }),
  'ch02-v4-hbm-to-pcie-ratio': (i) => ({ ratio: bandwidthRatio(i.number('hbm_bw'), i.number('pcie_bw')) }),
})
