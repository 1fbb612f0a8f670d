import {
  latencyBoundBytes,
  linkScalars,
  oneWayRingSeconds,
  ringHops,
  type TorusAxis,
  torusCollective,
} from '../collectives/index.ts'
import {
  footprint,
  gatherOrReduce,
  gatherToScatterRatio,
  type Mesh,
  matmulCases,
  matmulRule,
  replicationRatio,
} from '../sharding/index.ts'
import { chapter, formula, number, numbers, text } from './formula.ts'

const bytes = number('B', 'V, bytes of the gathered array')
const axisBytesPerSecond = number('B/s', 'W_ici: both directions of one axis')
const linkBytesPerSecond = number('B/s', 'one link, one direction')
const size = number('chips', 'X, devices along the axis')
const hopSeconds = number('s', 't_min, latency of a hop', 1e-6)
const axes = numbers('chips', 'devices along each axis')
const otherShards = number('1', 'Y, ways the array stays sharded over other axes', 1)
const seconds = { seconds: 's', bandwidthSeconds: 's', latencySeconds: 's', bound: 'verdict' } as const

/** Rings of the given sizes; `W_ici` of the book is both directions of a link. */
const rings = (sizes: readonly number[], both: number, hop = 0): TorusAxis[] =>
  sizes.map((length) => ({ size: length, linkBytesPerSecond: both / 2, wraps: true, hopSeconds: hop }))

/** `X=4,Y=8` as a mesh, and any such list of named whole numbers. */
const named = (list: string): Mesh =>
  Object.fromEntries(
    list
      .split(',')
      .filter((entry) => entry.trim() !== '')
      .map((entry) => {
        const [name = '', value = ''] = entry.split('=')
        return [name.trim(), Number(value)]
      }),
  )

const ring = (kind: Parameters<typeof torusCollective>[0]) => ({
  variables: { bytes, size, axisBytesPerSecond, hopSeconds, otherShards },
  outputs: seconds,
  valid: 'axis with wraparound',
  by: { torusCollective },
  evaluate: (v: {
    readonly bytes: number
    readonly size: number
    readonly axisBytesPerSecond: number
    readonly hopSeconds: number
    readonly otherShards: number
  }) =>
    torusCollective(kind, {
      bytes: v.bytes,
      otherShards: v.otherShards,
      axes: rings([v.size], v.axisBytesPerSecond, v.hopSeconds),
    }),
})

export const chapter03 = chapter(3, 'Sharded matmuls', {
  C1: formula({
    title: 'local shape and bytes of a sharded array',
    text: 'local dim = dim / prod(axes in its subscript)',
    variables: {
      array: text('notation', 'the array, like A[I_XY, J]'),
      dims: text('1', 'lengths, like I=1024,J=4096'),
      mesh: text('devices', 'mesh, like X=8,Y=2'),
      bytesPerElement: number('B', 'bytes per element', 2),
    },
    outputs: { localShape: '1', bytesPerDevice: 'B' },
    valid: 'a mesh axis may appear once in an array',
    by: { footprint },
    evaluate: (v) => footprint(v.array, named(v.dims), named(v.mesh), v.bytesPerElement),
  }),
  C2: formula({
    title: 'copies of a sharded array',
    text: 'total bytes / one copy = prod(mesh axes not used in the sharding)',
    variables: {
      mesh: text('devices', 'mesh, like X=4,Y=8,Z=2'),
      shardedAxes: text('axes', 'axes in the subscripts, like X,Z', ''),
    },
    outputs: { ratio: '1' },
    by: { replicationRatio },
    evaluate: (v) => ({ ratio: replicationRatio(named(v.mesh), Object.keys(named(v.shardedAxes))) }),
  }),
  C3: formula({
    title: 'AllGather over one ring',
    text: 'hop 2V/(X W_ici), floor(X/2) hops, T = V/W_ici',
    variables: { bytes, size, axisBytesPerSecond, hopSeconds: number('s', 'latency of a hop', 0) },
    outputs: { seconds: 's', hops: '1', bytesPerHop: 'B', hopSeconds: 's' },
    valid: 'wraparound; bandwidth-bound; V per remaining shard; independent of X',
    by: { torusCollective, ringHops },
    evaluate: (v) => {
      const { bytes: all, size: length, axisBytesPerSecond: both, hopSeconds: minimumHopSeconds } = v
      const hops = ringHops({ bytes: all, size: length, linkBytesPerSecond: both / 2, wraps: true, minimumHopSeconds })
      const { seconds } = torusCollective('all-gather', { bytes: all, axes: rings([length], both, minimumHopSeconds) })
      return { ...hops, seconds }
    },
  }),
  C4: formula({
    title: 'AllGather around one direction of a ring',
    text: 'T = V/W (X-1)/X',
    variables: { bytes, size, bytesPerSecond: number('B/s', 'bandwidth of that direction') },
    outputs: { seconds: 's' },
    by: { oneWayRingSeconds },
    evaluate: (v) => ({ seconds: oneWayRingSeconds(v.bytes, v.size, v.bytesPerSecond) }),
  }),
  C5: formula({
    title: 'AllGather with latency',
    text: 'T_hop = max(t_min, 2V/(X W)); T = max(t_min X/2, V/W); latency-bound below W_oneway t_min bytes a hop',
    variables: { bytes, size, axisBytesPerSecond, hopSeconds },
    outputs: { ...seconds, hopSeconds: 's', bytesPerHop: 'B', latencyBoundBytes: 'B' },
    by: { torusCollective, ringHops, latencyBoundBytes },
    evaluate: (v) => {
      const linkBytesPerSecond = v.axisBytesPerSecond / 2
      const { hopSeconds: minimumHopSeconds } = v
      const { bytesPerHop, hopSeconds } = ringHops({ ...v, linkBytesPerSecond, wraps: true, minimumHopSeconds })
      return {
        ...torusCollective('all-gather', {
          bytes: v.bytes,
          axes: rings([v.size], v.axisBytesPerSecond, minimumHopSeconds),
        }),
        hopSeconds,
        bytesPerHop,
        latencyBoundBytes: latencyBoundBytes(linkBytesPerSecond, minimumHopSeconds),
      }
    },
  }),
  C6: formula({
    title: 'AllGather over several axes',
    text: 'T = max(t_min sum_i X_i/2, V/(W_ici n_axes))',
    variables: { bytes, axes, axisBytesPerSecond, hopSeconds },
    outputs: seconds,
    valid: 'axes with wraparound',
    by: { torusCollective },
    evaluate: (v) =>
      torusCollective('all-gather', { bytes: v.bytes, axes: rings(v.axes, v.axisBytesPerSecond, v.hopSeconds) }),
  }),
  C7: formula({
    title: 'AllGather over an axis without wraparound',
    text: 'T = (X-1) V/(X W_oneway), at least (X-1) t_min',
    variables: { bytes, size, linkBytesPerSecond, hopSeconds },
    outputs: seconds,
    by: { torusCollective },
    evaluate: (v) =>
      torusCollective('all-gather', {
        bytes: v.bytes,
        axes: [{ size: v.size, linkBytesPerSecond: v.linkBytesPerSecond, wraps: false, hopSeconds: v.hopSeconds }],
      }),
  }),
  C8: formula({ title: 'ReduceScatter', text: 'T(ReduceScatter) = T(AllGather)', ...ring('reduce-scatter') }),
  C9: formula({ title: 'AllReduce', text: 'T(AllReduce) = 2 T(AllGather)', ...ring('all-reduce') }),
  C10: formula({
    title: 'AllToAll',
    text: 'T = V/(4 W_ici) on a ring; V max(A,B,..)/(4 N W_ici) on a mesh',
    variables: { bytes: number('B', 'V, bytes over all devices'), axes, axisBytesPerSecond, hopSeconds },
    outputs: seconds,
    valid: 'axes with wraparound; half of an AllGather on a one-directional ring',
    by: { torusCollective },
    evaluate: (v) =>
      torusCollective('all-to-all', { bytes: v.bytes, axes: rings(v.axes, v.axisBytesPerSecond, v.hopSeconds) }),
  }),
  C11: formula({
    title: 'collectives of an array sharded over another axis too',
    text: 'V/Y in place of V',
    ...ring('all-gather'),
    variables: { bytes, size, axisBytesPerSecond, hopSeconds, otherShards: number('1', 'Y, ways over other axes') },
  }),
  C12: formula({
    title: 'rules of a sharded matmul',
    text: '(1) no contracted sharding: none; (2) one operand: AllGather it; (3) both: reduce; (4) same free axis: invalid',
    variables: { matmul: text('notation', 'like A[I, J_X] * B[J_X, K] -> C[I, K]') },
    outputs: { case: '1', collectives: 'verdict', reason: 'verdict' },
    by: { matmulRule },
    evaluate: (v) => {
      const rule = matmulRule(v.matmul)
      return { case: rule.case, collectives: rule.summary, reason: matmulCases[rule.case] }
    },
  }),
  C13: formula({
    title: 'gather the weights, or multiply parts and AllReduce',
    text: 'S1 = max(2BDF/C, 2DF/W); S2 = max(2BDF/(XC), 4BF/W)',
    variables: {
      batchTokens: number('tokens', 'B'),
      inputDim: number('1', 'D, sharded over X in the weights'),
      outputDim: number('1', 'F'),
      devices: number('1', 'X'),
      peakFlopsPerSecond: number('FLOP/s', 'peak of one device'),
      axisBytesPerSecond,
    },
    outputs: {
      gatherSeconds: 's',
      reduceSeconds: 's',
      faster: 'verdict',
      gatherBatchThreshold: 'tokens',
      reduceDeviceLimit: '1',
    },
    valid: 'bf16; below alpha tokens S2 wins iff D > 2B, above iff D > 2 alpha',
    by: { gatherOrReduce },
    evaluate: (v) => {
      const both = gatherOrReduce(v)
      return { ...both, gatherSeconds: both.gather.lowerSeconds, reduceSeconds: both.reduce.lowerSeconds }
    },
  }),
  C14: formula({
    title: 'gather first, or multiply and ReduceScatter',
    text: 'bytes M : K for A[N,M_X] B[M,K]',
    variables: { contracted: number('1', 'M'), outputs: number('1', 'K') },
    outputs: { ratio: '1' },
    by: { gatherToScatterRatio },
    evaluate: (v) => ({ ratio: gatherToScatterRatio(v.contracted, v.outputs) }),
  }),
  C15: formula({
    title: 'scalars over one link of a ring',
    text: 'AG N^2(1-1/D); A2A N^2/2 (1-1/D), ~N^2/8 both ways; chunks (D/2)(D/2+1)/2 right, (D/2)(D/2-1)/2 left',
    variables: { scalars: number('1', 'N^2, elements of the array'), devices: number('1', 'D') },
    outputs: {
      gatherOneWay: 'scalars',
      gatherBothWays: 'scalars',
      exchangeOneWay: 'scalars',
      exchangeBothWays: 'scalars',
      chunksRight: 'chunks',
      chunksLeft: 'chunks',
      chunksBothWays: 'chunks',
      oneWayRatio: '1',
      bothWaysRatioLimit: '1',
    },
    by: { linkScalars },
    evaluate: (v) => linkScalars(v.scalars, v.devices),
  }),
  C16: formula({
    title: 'gather over an idle axis too',
    text: 'an array replicated over Z is re-sharded over Z for free, then gathered over X and Z',
    variables: {
      bytes,
      axes,
      idleAxes: numbers('chips', 'devices along each axis that the array is replicated over'),
      axisBytesPerSecond,
      hopSeconds: number('s', 'latency of a hop', 0),
      otherShards,
    },
    outputs: { seconds: 's', withoutIdleSeconds: 's' },
    by: { torusCollective },
    evaluate: (v) => {
      const over = (sizes: readonly number[]) =>
        torusCollective('all-gather', { ...v, axes: rings(sizes, v.axisBytesPerSecond, v.hopSeconds) }).seconds
      return { seconds: over([...v.axes, ...v.idleAxes]), withoutIdleSeconds: over(v.axes) }
    },
  }),
  C17: formula({
    title: 'buffer below which a hop is latency-bound',
    text: 'bytes per hop < W_oneway t_min',
    variables: { linkBytesPerSecond, hopSeconds },
    outputs: { bytes: 'B' },
    by: { latencyBoundBytes },
    evaluate: (v) => ({ bytes: latencyBoundBytes(v.linkBytesPerSecond, v.hopSeconds) }),
  }),
})
