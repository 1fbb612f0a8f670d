import { requireCount, requirePositive } from '../costInputError.ts'
import { moveSeconds } from '../rooflines/time.ts'
import { greatestCommonDivisor, largestDivisorUpTo } from './divisors.ts'

/** A collective that a sharding of the KV cache asks for in each attention layer and step. */
export interface KvCollective {
  kind: 'all-to-all' | 'all-gather'
  of: 'queries' | 'attention output' | 'partial outputs'
  /** Bytes of the array over all devices. */
  bytes: number
}

export interface KvSharding {
  /** Ways over KV heads. */
  headWays: number
  /** Ways over the batch. */
  batchWays: number
  /** Ways over the context. */
  sequenceWays: number
  collectives: readonly KvCollective[]
}

/**
 * How to share a KV cache out over `shards` chips: heads first, as many ways as divide both, then batch, then context.
 * Splitting the batch costs two AllToAlls per attention layer (queries to their sequences, outputs back); splitting the
 * context an AllGather of the queries and one of the partial outputs, joined as in M17. Book ch. 7, I8.
 */
export function kvSharding(inputs: {
  shards: number
  kvHeads: number
  queryHeads: number
  headDim: number
  /** Sequences that decode. */
  batch: number
  /** Bytes per element of queries and outputs; 2 in the book. */
  activationBytes?: number
}): KvSharding {
  const { shards, kvHeads, queryHeads, headDim, batch, activationBytes = 2 } = inputs
  requireCount('kvSharding', { shards, kvHeads, queryHeads, headDim, batch })
  requirePositive('kvSharding', { activationBytes })
  const headWays = greatestCommonDivisor(shards, kvHeads)
  const batchWays = largestDivisorUpTo(shards / headWays, batch)
  const sequenceWays = shards / headWays / batchWays
  const bytes = activationBytes * batch * queryHeads * headDim
  const collectives: KvCollective[] = []
  if (batchWays > 1) {
    collectives.push({ kind: 'all-to-all', of: 'queries', bytes })
    collectives.push({ kind: 'all-to-all', of: 'attention output', bytes })
  }
  if (sequenceWays > 1) {
    collectives.push({ kind: 'all-gather', of: 'queries', bytes })
    collectives.push({ kind: 'all-gather', of: 'partial outputs', bytes: bytes * sequenceWays })
  }
  return { headWays, batchWays, sequenceWays, collectives }
}

/** Seconds of those collectives in one layer on rings of one axis: V/(4W) an AllToAll, V/W an AllGather (C3, C10). I8. */
export function kvCollectiveSeconds(inputs: {
  collectives: readonly KvCollective[]
  /** One axis, both directions. */
  linkBytesPerSecond: number
}): number {
  requirePositive('kvCollectiveSeconds', { linkBytesPerSecond: inputs.linkBytesPerSecond })
  return inputs.collectives.reduce(
    (seconds, { kind, bytes }) =>
      seconds + moveSeconds(kind === 'all-to-all' ? bytes / 4 : bytes, inputs.linkBytesPerSecond),
    0,
  )
}
