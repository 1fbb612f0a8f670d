import {
  footprint,
  gatherToScatterRatio,
  linkScalars,
  matmulRule,
  moveSeconds,
  planShardedMatmul,
  replicationRatio,
  type TorusAxis,
  timeBounds,
  torusCollective,
} from '@windtunnel/cost'
import { type Adapter, type CaseInputs, testChapter } from './bookCases.ts'

/** Rings of the given sizes; the cases give both directions of an axis together, and mostly no latency. */
const rings = (i: CaseInputs, sizes: readonly number[], hopSeconds = 0): TorusAxis[] =>
  sizes.map((size) => ({ size, linkBytesPerSecond: i.number('bidi_bw') / 2, wraps: true, hopSeconds }))

const twoDims = (i: CaseInputs) => {
  const [rows, columns] = i.numbers('shape')
  return { I: rows!, J: columns! }
}

/** Bytes of the bf16 array [B, D] of question 2, and the sizes of its mesh. */
const question2 = (i: CaseInputs) => {
  const dims = { B: i.number('B'), D: i.number('D') }
  const { X, Y, Z } = i.mesh('mesh')
  return { bytes: footprint('A[B,D]', dims, i.mesh('mesh')).copyBytes, X: X!, Y: Y!, Z: Z! }
}

const blockOn2x2: Adapter = (i) => {
  const mesh = { X: i.number('chips') }
  const dims = { B: i.number('B'), D: i.number('D'), F: i.number('F') }
  const bytesPerElement = i.number('dtype_bytes')
  const weights = ['Win[D,F_X]', 'Wout[F_X,D]'].map((one) => footprint(one, dims, mesh, bytesPerElement))
  const activations = footprint('A[B,D]', dims, mesh, bytesPerElement)
  const [up, down] = ['In[B,D]*Win[D,F_X]->H[B,F_X]', 'H[B,F_X]*Wout[F_X,D]->Out[B,D]'].map((matmul) =>
    planShardedMatmul(matmul, { mesh, dims, bytesPerElement, peakFlopsPerSecond: i.number('peak') }),
  )
  const math = up!.plans[0]!.mathSeconds! + down!.plans.find((plan) => plan.label === 'AllReduce_X(Out)')!.mathSeconds!
  const weightBytes = weights[0]!.bytesPerDevice + weights[1]!.bytesPerDevice
  const bounds = timeBounds(math, moveSeconds(weightBytes, i.number('hbm_bw')))
  return {
    weight_bytes_each: weights[0]!.copyBytes,
    activation_bytes: activations.copyBytes,
    weights_per_device: weightBytes,
    fits: weightBytes + activations.bytesPerDevice <= i.number('mem_limit'),
    t_math: bounds.mathSeconds,
    t_hbm_weights: bounds.moveSeconds,
    bound: bounds.bound === 'memory' ? 'hbm' : bounds.bound,
  }
}

testChapter(3, {
  'ch03-pq-2d-shard-one-axis': (i) => {
    const found = footprint(`A[${i.text('spec')}]`, twoDims(i), i.mesh('mesh'), i.number('dtype_bytes'))
    return {
      local_shape: found.localShape,
      bytes: found.bytesPerDevice,
      t_load: moveSeconds(found.bytesPerDevice, i.number('hbm_bw')),
    }
  },
  'ch03-pq1-memory': (i) => {
    const found = footprint(`A[${i.text('spec')}]`, twoDims(i), i.mesh('mesh'), i.number('dtype_bytes'))
    return { local_shape: found.localShape, bytes_per_device: found.bytesPerDevice, total_bytes: found.totalBytes }
  },
  'ch03-jax-local-shapes': (i) => {
    const [aRows, aColumns] = i.numbers('A')
    const [bRows, bColumns] = i.numbers('B')
    return {
      A_local: footprint('A[I_X,J_Y]', { I: aRows!, J: aColumns! }, i.mesh('mesh')).localShape,
      B_local: footprint('B[J,K_Y]', { J: bRows!, K: bColumns! }, i.mesh('mesh')).localShape,
    }
  },
  'ch03-pq2a-allgather-ring-formula': (i) => ({
    t_ring: torusCollective('all-gather', { bytes: i.number('bytes'), axes: rings(i, [i.number('axis')]) }).seconds,
  }),
  'ch03-q1-replication-ratio': (i) => ({ ratio: replicationRatio(i.mesh('mesh'), i.texts('sharded_axes')) }),
  'ch03-q2a-allgather-one-axis': (i) => {
    const { bytes, X, Y } = question2(i)
    return { t: torusCollective('all-gather', { bytes, axes: rings(i, [X]), otherShards: Y }).seconds }
  },
  'ch03-q2c-allreduce-sharded': (i) => {
    const { bytes, X, Y, Z } = question2(i)
    const over = (otherShards: number) =>
      torusCollective('all-reduce', { bytes, axes: rings(i, [Z]), otherShards }).seconds
    return { t: over(X * Y), t_if_sharding_ignored: over(1) }
  },
  'ch03-q2-idle-axis-trick': (i) => {
    const { bytes, X, Y, Z } = question2(i)
    return {
      t_part1_XZ: torusCollective('all-gather', { bytes, axes: rings(i, [X, Z]), otherShards: Y }).seconds,
      t_part2_XYZ: torusCollective('all-gather', { bytes, axes: rings(i, [X, Y, Z]) }).seconds,
    }
  },
  'ch03-q7-block-on-2x2': blockOn2x2,
  'ch03-q9-gather-vs-reduce-scatter': (i) => ({ ratio: gatherToScatterRatio(i.number('M'), i.number('K')) }),
  'ch03-q10-link-scalars': (i) => {
    const link = linkScalars(i.number('N') * i.number('N'), i.number('D'))
    return {
      ag_uni: link.gatherOneWay,
      a2a_uni: link.exchangeOneWay,
      ratio_uni: link.oneWayRatio,
      a2a_bidi_chunks_right: link.chunksRight,
      a2a_bidi_chunks_left: link.chunksLeft,
      a2a_bidi_chunks_total: link.chunksBothWays,
      ratio_bidi_limit: link.bothWaysRatioLimit,
    }
  },
  'ch03-alltoall-ring': (i) => {
    const of = { bytes: i.number('bytes'), axes: rings(i, [i.number('axis')]) }
    return {
      t_allgather: torusCollective('all-gather', of).seconds,
      t_reducescatter: torusCollective('reduce-scatter', of).seconds,
      t_allreduce: torusCollective('all-reduce', of).seconds,
      t_alltoall: torusCollective('all-to-all', of).seconds,
    }
  },
  'ch03-alltoall-nd': (i) =>
    Object.fromEntries(
      i
        .rows('meshes')
        .map((sizes) => [
          `t_${sizes.join('x')}`,
          torusCollective('all-to-all', { bytes: i.number('bytes'), axes: rings(i, sizes) }).seconds,
        ]),
    ),
  'ch03-multiaxis-latency': (i) => {
    const axes = rings(i, i.numbers('axes'), i.number('hop_latency'))
    const [small, large] = i.numbers('bytes').map((bytes) => torusCollective('all-gather', { bytes, axes }).seconds)
    return { t_100kB: small, t_100MB: large }
  },
  'ch03-sharding-validity': (i) =>
    Object.fromEntries(i.texts('matmuls').map((matmul, index) => [`m${index + 1}`, matmulRule(matmul).summary])),
})
