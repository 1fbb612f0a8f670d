import { moveSeconds } from '@windtunnel/cost/rooflines/time'
import { calculator } from '../calculator.ts'
import {
  bandwidth,
  bytes,
  count,
  flag,
  list,
  optional,
  quantity,
  ratio,
  seconds,
  withDefault,
} from '../fields/field.ts'
import { h100 } from '../fields/source.ts'

export const remoteVsFetch = calculator({
  title: 'Reading remotely or fetching first',
  section: 'Remote memory',
  formula: 'direct n V / R; fetch V / R + n V / L; fetching wins for n > 1 / (1 - R/L)',
  validity: 'Writing the fetched copy is not charged.',
  example: { bytes: 20e9, reads: 10 },
  input: {
    bytes: quantity('B', 'V, the object.', { above: 0 }),
    remote: withDefault(bandwidth('R, remote.'), 50e9),
    local: withDefault(bandwidth('L, local.'), h100.hbmBytesPerSecond),
    reads: count('n, reads of the whole object.'),
  },
  output: {
    directSeconds: seconds('Reading remotely each time.'),
    fetchSeconds: seconds('Fetching once, then reading locally.'),
    savedSeconds: quantity('s', 'Saved by fetching; negative where it loses.'),
    breakEven: optional(ratio('Reads at which both tie; none where remote is as fast as local.')),
    minReads: optional(count('Least reads for which fetching wins.')),
    localCapacity: bytes('Local memory taken.'),
  },
  compute: ({ bytes, remote, local, reads }) => {
    const directSeconds = reads * moveSeconds(bytes, remote)
    const fetchSeconds = moveSeconds(bytes, remote) + reads * moveSeconds(bytes, local)
    const breakEven = local > remote ? 1 / (1 - remote / local) : undefined
    return {
      directSeconds,
      fetchSeconds,
      savedSeconds: directSeconds - fetchSeconds,
      breakEven,
      minReads: breakEven === undefined ? undefined : Math.floor(breakEven) + 1,
      localCapacity: bytes,
    }
  },
})

export const readDemand = calculator({
  title: 'Bandwidth that repeated reads ask for',
  section: 'Remote memory',
  formula: 'V x frequency, against the usable bandwidth',
  validity: 'Whole object each time; an average.',
  example: { bytes: 20e9, readsPerSecond: 1 },
  input: {
    bytes: bytes('V, the object.'),
    readsPerSecond: quantity('1/s', 'How often it is read.', { minimum: 0, also: ['frequency'] }),
    usable: withDefault(bandwidth('Usable bandwidth.', { also: ['path', 'usable_bandwidth'] }), 50e9),
  },
  output: {
    bandwidth: quantity('B/s', 'Asked for.', { minimum: 0 }),
    feasible: flag('Whether the usable bandwidth is enough.', { also: ['fits', 'sustainable'] }),
    utilization: ratio('Of the usable bandwidth.'),
    readSeconds: seconds('One read.'),
  },
  compute: (input) => {
    const asked = input.bytes * input.readsPerSecond
    return {
      bandwidth: asked,
      feasible: asked <= input.usable,
      utilization: asked / input.usable,
      readSeconds: moveSeconds(input.bytes, input.usable),
    }
  },
})

export const poolBorrow = calculator({
  title: 'Borrowing memory of other nodes',
  section: 'Remote memory',
  formula:
    'shortfall = sum of demand above capacity; idle = sum of capacity above demand; feasible where idle covers it',
  validity: 'Only what is idle elsewhere can be lent; all capacity together stays the same.',
  example: { capacity: 80e9, demands: [100e9, 60e9, 40e9, 40e9] },
  input: {
    capacity: quantity('B', 'Memory of one node.', { above: 0 }),
    demands: list(bytes('A demand.'), 'Demand on each node.', { minimumItems: 1 }),
  },
  output: {
    totalDemand: bytes('All demands.'),
    totalCapacity: bytes('All nodes.'),
    shortfall: bytes('To be borrowed.'),
    idle: bytes('Idle before borrowing.', { also: ['idle_before', 'idle_total', 'idle_elsewhere'] }),
    remainder: quantity('B', 'Idle after borrowing; negative where it is not enough.', {
      also: ['idle_after', 'remaining', 'left'],
    }),
    feasible: flag('Whether the idle memory covers the shortfall.'),
    idlePerNode: list(bytes('Idle.'), 'Idle on each node before.', { also: ['node_idle', 'idle'] }),
  },
  compute: ({ capacity, demands }) => {
    const sum = (values: readonly number[]) => values.reduce((all, one) => all + one, 0)
    const idlePerNode = demands.map((demand) => Math.max(0, capacity - demand))
    const shortfall = sum(demands.map((demand) => Math.max(0, demand - capacity)))
    const idle = sum(idlePerNode)
    return {
      totalDemand: sum(demands),
      totalCapacity: capacity * demands.length,
      shortfall,
      idle,
      remainder: idle - shortfall,
      feasible: idle >= shortfall,
      idlePerNode,
    }
  },
})
