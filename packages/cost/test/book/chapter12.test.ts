import {
  clockOfVectorPeak,
  criticalIntensity,
  cudaCoreFlopsPerSecond,
  cudaCores,
  dataParallelRegime,
  egressBytesPerSecond,
  expertParallelMinDff,
  fewNodesGain,
  figureRatios,
  footprint,
  gpuDataParallelMinTokens,
  gpuTensorParallelLimit,
  leafSpineBandwidth,
  leafSpineCounts,
  networkEgress,
  parallelDegrees,
  pipelineHops,
  powerOfTwoBelow,
  raggedAllToAll,
  raggedShare,
  residentWarps,
  shardedNodeCollective,
  sharpAllReduceSeconds,
  switchedCollective,
  switchedCollectiveRounded,
  tensorCoreFlopsPerCycle,
  tokenBatch,
  torusCollective,
  trainingMemory,
  trainingSeconds,
  treeCollective,
  twoNodeTensorParallelLimit,
  unitGatherSeconds,
  vectorAlus,
  vectorFlopsPerCycle,
} from '@windtunnel/cost'
import { type Adapter, type CaseInputs, testChapter } from './bookCases.ts'

const nodeAllGather: Adapter = (i) => {
  const of = { bytes: i.number('bytes'), devices: i.number('N'), egressBytesPerSecond: i.number('gpu_bw') }
  return {
    t_exact: switchedCollective('all-gather', of).seconds,
    t_approx: switchedCollectiveRounded('all-gather', of),
  }
}

const perCycle = (i: CaseInputs, name: string) => {
  const [peakFlopsPerSecond, sms, clockHz] = i.numbers(name)
  return tensorCoreFlopsPerCycle({ peakFlopsPerSecond: peakFlopsPerSecond!, sms: sms!, clockHz: clockHz! })
}

const minTokens = (peakFlopsPerSecond: number, collectiveBytesPerSecond: number, modelNodes = 1) =>
  gpuDataParallelMinTokens({ peakFlopsPerSecond, collectiveBytesPerSecond, modelNodes }).minTokensPerGpu

const llama70b: Adapter = (i) => {
  const peakFlopsPerSecond = i.number('peak')
  const across = { peakFlopsPerSecond, collectiveBytesPerSecond: i.number('node_bw') }
  const [TP, PP, gpus, batchTokens] = [i.number('TP'), i.number('PP'), i.number('gpus'), i.number('batch')]
  const limit = gpuTensorParallelLimit({
    dFf: i.number('F'),
    peakFlopsPerSecond,
    collectiveBytesPerSecond: i.number('gpu_bw'),
  })
  // 70e9 parameters stand in the text of the question.
  const memory = trainingMemory({ params: 70e9 / TP, checkpointBytes: 0, hbmBytesPerChip: i.number('hbm') })
  const { modelNodes } = parallelDegrees({ tensor: TP, pipeline: PP })
  const piped = gpuDataParallelMinTokens({ ...across, modelNodes })
  const verdict = (collectiveBytesPerSecond: number) =>
    dataParallelRegime({
      batchTokens,
      chips: gpus,
      axes: 1,
      criticalIntensity: criticalIntensity(peakFlopsPerSecond, collectiveBytesPerSecond),
    })
  const zero3 = verdict(across.collectiveBytesPerSecond)
  return {
    tp_limit: limit,
    tp_used: powerOfTwoBelow(limit),
    dp: gpus / TP,
    bytes_per_gpu_dp: memory.totalBytes,
    pure_dp_fits: memory.dataParallelFits,
    tokens_per_gpu: zero3.tokensPerChip,
    zero3: zero3.verdict,
    pp_bandwidth: piped.collectiveBytesPerSecond,
    pp_threshold: piped.minTokensPerGpu,
    with_pp: verdict(piped.collectiveBytesPerSecond).verdict,
  }
}

const megatron: Adapter = (i) => {
  const alpha = i.number('alpha')
  const names = ['16b', '70b', '314b']
  return Object.fromEntries(
    i.rows('configs').flatMap(([batch, gpus, tensorTimesPipeline], index) => {
      const name = names[index]
      const { tokens, tokensPerDevice } = tokenBatch(batch!, i.number('seq_len'), gpus!)
      const { modelNodes } = parallelDegrees({ tensor: tensorTimesPipeline!, gpusPerNode: i.number('gpus_per_node') })
      const threshold = minTokens(alpha, 1, modelNodes)
      const { verdict } = dataParallelRegime({
        batchTokens: tokens,
        chips: gpus!,
        axes: 1,
        criticalIntensity: threshold,
      })
      return [
        [name, tokensPerDevice],
        [`threshold_${name}`, threshold],
        [`${name}_bound`, verdict],
      ]
    }),
  )
}

const fatTree: Adapter = (i) => {
  const found = leafSpineBandwidth({
    linkBytesPerSecond: i.number('ib_link'),
    linksPerNode: i.number('links_per_node'),
    nodesPerUnit: i.number('nodes_per_su'),
    units: i.number('nodes') / i.number('nodes_per_su'),
    leavesPerUnit: i.number('leafs_per_su'),
    spines: i.number('spines'),
    cablesPerLeafSpine: i.number('cables_leaf_spine'),
    spinePorts: i.number('spine_ports'),
  })
  return {
    node_egress: found.nodeEgress,
    su_up_from_nodes: found.unitFromNodes,
    su_to_spine: found.unitToSpines,
    spine_total: found.spineTotal,
    per_node_at_spine: found.perNodeAtSpine,
  }
}

const largerPods: Adapter = (i) => {
  // H100 nodes: 8 GPUs and 8 links of 400 Gb/s, 32 nodes to a unit.
  const shape = {
    gpusPerNode: 8,
    nodesPerUnit: 32,
    leavesPerUnit: i.number('leafs_per_su'),
    spines: i.number('spines'),
  }
  const { units } = leafSpineCounts({ ...shape, gpus: i.number('gpus') })
  const cablesPerLeafSpine = i.number('cables_per_pair')
  const found = leafSpineBandwidth({ ...shape, units, linkBytesPerSecond: 50e9, linksPerNode: 8, cablesPerLeafSpine })
  return {
    sus: units,
    spines: shape.spines,
    leaf_ports_down: found.leafPortsDown,
    leaf_ports_up: found.leafPortsUp,
    su_to_spine: found.unitToSpines,
  }
}

testChapter(12, {
  'ch12-tc-flops-per-cycle': (i) => ({ h100: perCycle(i, 'h100'), b200: perCycle(i, 'b200') }),
  'ch12-resident-warps': (i) => {
    const { registerBytes, warps } = residentWarps({
      registersPerSm: i.number('regs_per_subpartition') * i.number('subpartitions'),
      bytesPerRegister: i.number('bytes_per_reg'),
      registersPerThread: i.number('regs_per_thread'),
      threadsPerWarp: i.number('threads_per_warp'),
    })
    return { bytes: registerBytes, warps }
  },
  'ch12-q1.1-cuda-cores': (i) => {
    const shape = { subpartitions: i.number('subpartitions'), lanes: i.number('lanes') }
    const [cores, alus, sublanes, lanes] = i.numbers('v5p')
    return {
      h100: cudaCores({ ...shape, sms: i.number('h100_sms') }),
      b200: cudaCores({ ...shape, sms: i.number('b200_sms') }),
      v5p: vectorAlus({ cores: cores!, alus: alus!, sublanes: sublanes!, lanes: lanes! }),
    }
  },
  'ch12-q1.2-vector-flops': (i) => {
    const [base, boost] = i.numbers('clocks').map((clock) => cudaCoreFlopsPerSecond(i.number('cores'), clock))
    return { base, boost, ratio: figureRatios({ peak: i.number('matmul') }, { peak: boost! }).peak }
  },
  'ch12-q1.3-intensity': (i) =>
    Object.fromEntries(
      ['h100', 'b200'].flatMap((name) => {
        const [peak, bandwidth] = i.numbers(name)
        return [
          [`${name}_fp16`, criticalIntensity(peak!, bandwidth!)],
          [`${name}_fp8`, criticalIntensity(peak! * i.number('fp8_factor'), bandwidth!)],
        ]
      }),
    ),
  'ch12-q1.6-b200-clock': (i) => {
    const cores = cudaCores({ sms: i.number('sms') })
    return {
      flops_per_cycle: vectorFlopsPerCycle(cores, true),
      clock: clockOfVectorPeak(i.number('vector_flops'), cores, true),
    }
  },
  'ch12-nvlink-egress': (i) =>
    Object.fromEntries(
      ['ampere', 'hopper', 'blackwell'].map((name) => {
        const [links, link] = i.numbers(name)
        return [name, egressBytesPerSecond(links!, link!)]
      }),
    ),
  'ch12-q2.3-allgather': nodeAllGather,
  'ch12-pq1-allgather': nodeAllGather,
  'ch12-superpod-inventory': (i) => {
    const { nodes, units, nodeSwitches, leaves, totalSwitches } = leafSpineCounts({
      gpus: i.number('gpus'),
      gpusPerNode: i.number('gpus_per_node'),
      nodesPerUnit: i.number('nodes_per_su'),
      leavesPerUnit: i.number('leaf_per_su'),
      spines: i.number('spines'),
      switchesPerNode: i.number('nvswitch_per_node'),
    })
    return { nodes, sus: units, nvswitches: nodeSwitches, leafs: leaves, total_switches: totalSwitches }
  },
  'ch12-q3.1-fat-tree': fatTree,
  'ch12-q3.2-larger-pods': largerPods,
  'ch12-v5p-total-egress': (i) => ({ egress: egressBytesPerSecond(i.number('links'), i.number('link_bw')) }),
  'ch12-gb200-node-egress': (i) => {
    const egress = networkEgress(i.number('cables'), i.number('gbps'))
    const h100 = networkEgress(8, i.number('gbps'))
    return { egress, ratio: figureRatios({ egress }, { egress: h100 }).egress }
  },
  'ch12-pq2-alltoall': (i) => {
    const of = { bytes: i.number('bytes'), devices: i.number('N'), egressBytesPerSecond: i.number('gpu_bw') }
    const destinations = i.number('k')
    return {
      dense_exact: switchedCollective('all-to-all', of).seconds,
      dense_approx: switchedCollectiveRounded('all-to-all', of),
      ragged_approx: raggedAllToAll({ ...of, destinations }).roundedSeconds,
      ragged_ratio: raggedShare(destinations, of.devices).share,
    }
  },
  'ch12-tpu-vs-gpu-alltoall': (i) => {
    // The same W and bytes for both; the ring counts both directions of its links as W.
    const axis = { size: i.number('N'), linkBytesPerSecond: 50e9, wraps: true, hopSeconds: 0 }
    const tpu = torusCollective('all-to-all', { bytes: 1e9, axes: [axis] }).seconds
    const gpu = switchedCollectiveRounded('all-to-all', { bytes: 1e9, devices: axis.size, egressBytesPerSecond: 100e9 })
    return { speedup: figureRatios({ tpu }, { tpu: gpu }).tpu }
  },
  'ch12-tree-bandwidth': (i) => {
    const levels = i.rows('levels').map(([degree, link]) => ({ degree: degree!, linkBytesPerSecond: link! }))
    const { levelBytesPerSecond, bytesPerSecond } = treeCollective('all-gather', 0, levels)
    const [node, leaf, spine] = levelBytesPerSecond
    return { node, leaf, spine, overall: bytesPerSecond }
  },
  'ch12-pq3-two-axis-allgather': (i) => {
    // One SU: 32 nodes of 8 GPUs.
    const { copyBytes } = footprint('A[D,F]', { D: i.number('D'), F: i.number('F') }, { Y: 1 })
    const shape = { bytes: copyBytes, gpusPerNode: 8, nodes: 32, nodeBytesPerSecond: i.number('node_bw') }
    return Object.fromEntries(i.numbers('Y').map((Y) => [`t_Y${Y}`, unitGatherSeconds({ ...shape, innerShards: Y })]))
  },
  'ch12-sharded-reduction': (i) =>
    Object.fromEntries(
      i.numbers('Y').flatMap((Y) => {
        const { nodeSeconds, scaleOutSeconds, seconds } = shardedNodeCollective('reduce-scatter', {
          bytes: i.number('bytes'),
          innerShards: Y,
          gpusPerNode: i.number('D_node'),
          gpuBytesPerSecond: i.number('gpu_bw'),
          nodeBytesPerSecond: i.number('node_bw'),
        })
        return [
          [`node_Y${Y}`, nodeSeconds],
          [`scaleout_Y${Y}`, scaleOutSeconds],
          [`total_Y${Y}`, seconds],
        ]
      }),
    ),
  'ch12-q4.3-sharded-sharp': (i) => {
    const { copyBytes } = footprint('A[D,F]', { D: i.number('D'), F: i.number('F') }, { Y: i.number('Y') })
    return { t: sharpAllReduceSeconds(copyBytes, i.number('gpu_bw'), i.number('Y')) }
  },
  'ch12-q4.5-two-node-allgather': (i) => {
    const { levelBytesPerSecond, binding } = treeCollective('all-gather', 0, [
      { name: 'node', degree: 8, linkBytesPerSecond: i.number('gpu_bw') },
      { name: 'across', degree: 2, linkBytesPerSecond: i.number('node_bw') },
    ])
    return { node_level: levelBytesPerSecond[0], cross_node: levelBytesPerSecond[1], bound: binding }
  },
  'ch12-dp-threshold-h100': (i) => {
    const across = minTokens(i.number('peak'), i.number('node_bw'))
    const h800 = minTokens(i.number('peak'), i.number('h800_bw'))
    const batch = (chips: number, criticalIntensity: number) =>
      dataParallelRegime({ batchTokens: 1, chips, criticalIntensity, axes: 1 }).minBatchTokens
    return {
      in_node: minTokens(i.number('peak'), i.number('gpu_bw')),
      cross_node: across,
      llama_batch: batch(i.number('llama_gpus'), across),
      h800,
      deepseek_batch: batch(i.number('deepseek_gpus'), h800),
    }
  },
  'ch12-moe-dp-threshold': (i) => ({
    // alpha is C/W, given as one figure.
    tokens: gpuDataParallelMinTokens({
      peakFlopsPerSecond: i.number('alpha'),
      collectiveBytesPerSecond: 1,
      experts: i.number('E'),
      expertsPerToken: i.number('k'),
    }).minTokensPerGpu,
  }),
  'ch12-tp-limits-h100': (i) => {
    const gpu = { dFf: i.number('F'), peakFlopsPerSecond: i.number('peak') }
    return {
      in_node: gpuTensorParallelLimit({ ...gpu, collectiveBytesPerSecond: i.number('gpu_bw') }),
      cross_node: gpuTensorParallelLimit({ ...gpu, collectiveBytesPerSecond: i.number('node_bw') }),
      two_nodes: twoNodeTensorParallelLimit({ ...gpu, collectiveBytesPerSecond: i.number('node_bw') }),
    }
  },
  'ch12-ep-thresholds': (i) => {
    const { wideMinDff, narrowMinDff } = expertParallelMinDff({
      peakFlopsPerSecond: i.number('peak'),
      collectiveBytesPerSecond: i.number('node_bw'),
      expertsPerToken: i.number('k'),
      expertGpus: i.number('Z'),
    })
    return { F_wide: wideMinDff, F_narrow: narrowMinDff }
  },
  'ch12-pipeline-comms': (i) => {
    const found = pipelineHops({
      batchTokens: i.number('B'),
      dModel: i.number('D'),
      microbatches: i.number('N_MB'),
      stages: i.number('N_stages'),
      layers: i.number('L'),
      bytesPerSecond: i.number('W'),
    })
    return {
      hops: found.hops,
      t_hop: found.hopSeconds,
      t_total: found.totalSeconds,
      t_per_layer_exact: found.perLayerSeconds,
      t_per_layer_book: found.perLayerRoundedSeconds,
    }
  },
  'ch12-deepseek-v3-config': (i) => {
    const { tokens, tokensPerDevice } = tokenBatch(i.number('sequences'), i.number('seq_len'), i.number('gpus'))
    const { modelGpus, gpus } = parallelDegrees({
      expert: i.number('EP'),
      pipeline: i.number('PP'),
      data: i.number('DP'),
    })
    return {
      tokens,
      tokens_per_gpu: tokensPerDevice,
      model_parallel: modelGpus,
      gpus,
      dp_bandwidth_gain: fewNodesGain(i.number('DP')),
    }
  },
  'ch12-q5.1-b200-rooflines': (i) => {
    const peak = i.number('peak')
    return {
      tp_in_node: criticalIntensity(peak, i.number('gpu_bw')),
      dp_cross_node: minTokens(peak, i.number('node_bw')),
      // H100: 990e12 FLOP/s.
      flops_ratio_vs_h100: figureRatios({ peak }, { peak: 990e12 }).peak,
    }
  },
  'ch12-q5.2a-memory': (i) => {
    const bytesPerParam = i.number('bytes_per_param')
    const { totalBytes, minChips } = trainingMemory({
      params: i.number('params'),
      weightBytesPerParam: bytesPerParam,
      optimizerBytesPerParam: 0,
      checkpointBytes: 0,
      hbmBytesPerChip: i.number('hbm'),
    })
    const { nodes } = leafSpineCounts({
      gpus: minChips,
      gpusPerNode: 8,
      nodesPerUnit: 32,
      leavesPerUnit: 8,
      spines: 16,
    })
    return { bytes: totalBytes, gpus: minChips, nodes }
  },
  'ch12-q5.2b-time': (i) => {
    const peak = { chips: i.number('gpus'), peakFlopsPerSecond: i.number('peak'), utilisation: i.number('mfu') }
    const seconds = trainingSeconds({ ...peak, flops: i.number('flops') })
    return { rate: i.number('flops') / seconds, seconds, days: seconds / 86400 }
  },
  'ch12-q5.2c-sharding': llama70b,
  'ch12-q5.3-megatron': megatron,
  'ch12-h200-vs-v5p': (i) => {
    const figures = (name: string) => {
      const [flops, hbm, price] = i.numbers(name)
      return { flops: flops!, hbm: hbm!, price: price! }
    }
    return figureRatios(figures('h200'), figures('v5p'))
  },
})
