import { permuteSteps } from '../collectives/ring.ts'
import { requireCount, requirePositive } from '../costInputError.ts'

/** A matmul whose operand arrives in chunks, each multiplied while the next one travels. Times in seconds. */
export interface CollectiveMatmul {
  /** Y chunks of local work. */
  readonly chunks: number
  /** `Y - 1`, or `ceil((Y-1)/2)` with both directions. */
  readonly permutes: number
  readonly chunkMathSeconds: number
  readonly permuteSeconds: number
  /** First chunk at once, then each permute hidden behind the work of the chunks at hand, or the other way round. */
  readonly seconds: number
  /** Gather first, multiply then. */
  readonly serialSeconds: number
  readonly bound: 'compute' | 'communication'
}

/**
 * Collective matmul: instead of an AllGather and then a matmul, Y local products with Y-1 permutes between, which
 * overlap. Book ch. 10, J1.
 * @param of devices Y; time of the whole local matmul; bytes of one shard; one link in one direction, bytes/s; whether
 *   both directions are used
 */
export function collectiveMatmul(of: {
  readonly devices: number
  readonly mathSeconds: number
  readonly shardBytes: number
  readonly linkBytesPerSecond: number
  readonly directions?: 1 | 2
}): CollectiveMatmul {
  const { devices, mathSeconds, shardBytes, linkBytesPerSecond, directions = 1 } = of
  requireCount('collectiveMatmul', { devices })
  requirePositive('collectiveMatmul', { mathSeconds, shardBytes, linkBytesPerSecond })
  const permutes = permuteSteps(devices, directions)
  const chunkMathSeconds = mathSeconds / devices
  const permuteSeconds = shardBytes / linkBytesPerSecond
  const gatherSeconds = permutes * permuteSeconds
  const workSeconds = mathSeconds - chunkMathSeconds
  return {
    chunks: devices,
    permutes,
    chunkMathSeconds,
    permuteSeconds,
    seconds: chunkMathSeconds + Math.max(workSeconds, gatherSeconds),
    serialSeconds: mathSeconds + gatherSeconds,
    bound: workSeconds >= gatherSeconds ? 'compute' : 'communication',
  }
}
