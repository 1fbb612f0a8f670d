import { raggedAllToAll, raggedShare, switchedCollective, switchedCollectiveRounded } from '../collectives/index.ts'
import {
  acrossNodesAllToAll,
  gatherSwitchBytes,
  shardedNodeCollective,
  shardedTreeSeconds,
  sharpAllReduceSeconds,
  sharpPredictedGain,
  sharpSwitchBytes,
  treeCollective,
} from '../gpu/index.ts'
import { formula, number, numbers } from './formula.ts'

const bytes = number('B', 'V, bytes of the whole array')
const gpus = number('1', 'N, GPUs of the node', 8)
const gpuBytesPerSecond = number('B/s', 'W_gpu, egress of one GPU, one direction')
const nodeBytesPerSecond = number('B/s', 'W_node, egress of one node, one direction')
const nodes = number('1', 'M, nodes')
const gpusPerNode = number('1', 'D_node, GPUs of a node', 8)
const innerShards = number('1', 'Y, ways the array stays sharded over an inner axis', 1)

/** G8 to G16: collectives in a node, across nodes, and in the network. */
export const gpuCollectiveFormulas = {
  G8: formula({
    title: 'collectives in a node',
    text: 'AG, RS: V(N-1)/(N W_gpu), about V/W_gpu; AR: twice; small arrays: a tree of log2 N hops',
    variables: { bytes, gpus, gpuBytesPerSecond, hopSeconds: number('s', 'latency of a hop', 0) },
    outputs: { allGatherSeconds: 's', reduceScatterSeconds: 's', allReduceSeconds: 's', roundedSeconds: 's' },
    valid: 'without reduction in the network',
    by: { switchedCollective, switchedCollectiveRounded },
    evaluate: ({ bytes, gpus, gpuBytesPerSecond, hopSeconds }) => {
      const of = { bytes, devices: gpus, egressBytesPerSecond: gpuBytesPerSecond, hopSeconds }
      return {
        allGatherSeconds: switchedCollective('all-gather', of).seconds,
        reduceScatterSeconds: switchedCollective('reduce-scatter', of).seconds,
        allReduceSeconds: switchedCollective('all-reduce', of).seconds,
        roundedSeconds: switchedCollectiveRounded('all-gather', of),
      }
    },
  }),
  G9: formula({
    title: 'AllToAll in a node',
    text: 'V(N-1)/(W N^2), about V/(W N)',
    variables: { bytes, gpus, gpuBytesPerSecond },
    outputs: { seconds: 's', roundedSeconds: 's' },
    by: { switchedCollective, switchedCollectiveRounded },
    evaluate: ({ bytes, gpus, gpuBytesPerSecond }) => {
      const of = { bytes, devices: gpus, egressBytesPerSecond: gpuBytesPerSecond }
      return {
        seconds: switchedCollective('all-to-all', of).seconds,
        roundedSeconds: switchedCollectiveRounded('all-to-all', of),
      }
    },
  }),
  G10: formula({
    title: 'ragged AllToAll',
    text: '(N-1)/N min(k/N,1) V/(W N); exact factor (1-((N-1)/N)^k)(N-1)/N',
    variables: { bytes, gpus, gpuBytesPerSecond, destinations: number('1', 'k, destinations of a token') },
    outputs: { seconds: 's', roundedSeconds: 's', randomSeconds: 's', share: '1', exactShare: '1' },
    valid: 'random routing',
    by: { raggedAllToAll, raggedShare },
    evaluate: ({ bytes, gpus, gpuBytesPerSecond, destinations }) => ({
      ...raggedAllToAll({ bytes, devices: gpus, egressBytesPerSecond: gpuBytesPerSecond, destinations }),
      ...raggedShare(destinations, gpus),
    }),
  }),
  G11: formula({
    title: 'AllReduce in the network (SHARP)',
    text: 'V/W_gpu; V/(Y W) sharded over Y; predicted gain 2(N-1)/N - 1',
    variables: { bytes, gpuBytesPerSecond, innerShards, gpus },
    outputs: { seconds: 's', predictedGain: '1' },
    valid: 'about 30 % measured where 75 % are predicted',
    by: { sharpAllReduceSeconds, sharpPredictedGain },
    evaluate: (v) => ({
      seconds: sharpAllReduceSeconds(v.bytes, v.gpuBytesPerSecond, v.innerShards),
      predictedGain: sharpPredictedGain(v.gpus),
    }),
  }),
  G12: formula({
    title: 'collectives over a fat tree',
    text: 'V max_i (D_i-1)/(D_i W_i); bandwidth min_i D_i W_i/(D_i-1); coarse max(V/W_gpu, V/W_node)',
    variables: {
      bytes,
      degrees: numbers('1', 'D_i, sub-trees at each level from the node up'),
      linkBytesPerSecond: numbers('B/s', 'W_i, what one sub-tree sends up at each level'),
    },
    outputs: {
      levelBytesPerSecond: 'B/s',
      bytesPerSecond: 'B/s',
      binding: 'verdict',
      seconds: 's',
      allReduceSeconds: 's',
    },
    valid: 'full-bisection fat tree; nothing reduced in the network',
    by: { treeCollective },
    evaluate: (v) => {
      const levels = v.degrees.map((degree, at) => ({ degree, linkBytesPerSecond: v.linkBytesPerSecond[at] ?? 0 }))
      const allReduceSeconds = treeCollective('all-reduce', v.bytes, levels).seconds
      return { ...treeCollective('all-gather', v.bytes, levels), allReduceSeconds }
    },
  }),
  G13: formula({
    title: 'AllToAll across nodes',
    text: 'V(M-1)/(M^2 W_node), about V/(M W_node)',
    variables: { bytes, nodes, nodeBytesPerSecond },
    outputs: { seconds: 's', roundedSeconds: 's' },
    valid: 'not hierarchical',
    by: { acrossNodesAllToAll },
    evaluate: (v) => acrossNodesAllToAll(v.bytes, v.nodes, v.nodeBytesPerSecond),
  }),
  G14: formula({
    title: 'collective of an array sharded over an inner axis',
    text: 'node V/(W_gpu min(Y,D_node)); scale-out V D_node/(W_node max(D_node,Y)); total = max',
    variables: { bytes, innerShards, gpusPerNode, gpuBytesPerSecond, nodeBytesPerSecond },
    outputs: { nodeSeconds: 's', scaleOutSeconds: 's', seconds: 's', allReduceSeconds: 's' },
    by: { shardedNodeCollective },
    evaluate: (v) => ({
      ...shardedNodeCollective('all-gather', v),
      allReduceSeconds: shardedNodeCollective('all-reduce', v).seconds,
    }),
  }),
  G15: formula({
    title: 'the same, exact, over a fat tree',
    text: 'V max_i (D_i-1)/(D_i max(Y,S_{i-1}) W_i)',
    variables: {
      bytes,
      innerShards,
      degrees: numbers('1', 'D_i, sub-trees at each level from the node up'),
      gpuLevelBytesPerSecond: numbers('B/s', 'W_i of one GPU at each level: 450e9 in an H100 node, 50e9 above'),
    },
    outputs: { seconds: 's', allReduceSeconds: 's' },
    valid: 'W_i per GPU; S_{i-1} GPUs below level i',
    by: { shardedTreeSeconds },
    evaluate: ({ bytes, innerShards, degrees, gpuLevelBytesPerSecond }) => {
      const levels = degrees.map((degree, at) => ({ degree, gpuBytesPerSecond: gpuLevelBytesPerSecond[at] ?? 0 }))
      return {
        seconds: shardedTreeSeconds('all-gather', { bytes, innerShards, levels }),
        allReduceSeconds: shardedTreeSeconds('all-reduce', { bytes, innerShards, levels }),
      }
    },
  }),
  G16: formula({
    title: 'bytes through the switches',
    text: 'AG over M nodes of N: node in V, out NV; top in V, out V(M-1). SHARP AR: NV in, NV out',
    variables: { bytes, nodes, gpusPerNode },
    outputs: { nodeIn: 'B', nodeOut: 'B', topIn: 'B', topOut: 'B', sharpIn: 'B', sharpOut: 'B' },
    by: { gatherSwitchBytes, sharpSwitchBytes },
    evaluate: (v) => {
      const { nodeIn: sharpIn, nodeOut: sharpOut } = sharpSwitchBytes(v.bytes, v.gpusPerNode)
      return { ...gatherSwitchBytes(v.bytes, v.nodes, v.gpusPerNode), sharpIn, sharpOut }
    },
  }),
}
