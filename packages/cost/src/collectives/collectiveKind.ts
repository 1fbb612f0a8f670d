/** The collectives of the book. */
export const collectiveKinds = ['all-gather', 'reduce-scatter', 'all-reduce', 'all-to-all'] as const

export type CollectiveKind = (typeof collectiveKinds)[number]

/** Time of a collective, in seconds: the longer of what the bytes and what the hops take. */
export interface CollectiveTime {
  readonly seconds: number
  readonly bandwidthSeconds: number
  readonly latencySeconds: number
  readonly bound: 'bandwidth' | 'latency'
}

export const collectiveTime = (bandwidthSeconds: number, latencySeconds: number): CollectiveTime => ({
  seconds: Math.max(bandwidthSeconds, latencySeconds),
  bandwidthSeconds,
  latencySeconds,
  bound: bandwidthSeconds >= latencySeconds ? 'bandwidth' : 'latency',
})

/** A collective that is `times` another one after itself: an AllReduce is a ReduceScatter and an AllGather. */
export const repeated = (time: CollectiveTime, times: number): CollectiveTime =>
  collectiveTime(times * time.bandwidthSeconds, times * time.latencySeconds)
