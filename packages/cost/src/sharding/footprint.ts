import { product } from '@windtunnel/hardware'
import { requirePositive } from '../costInputError.ts'
import { axesSize, type Dims, dimLength, localArray, type Mesh, meshDevices } from './mesh.ts'
import { parseShardedArray, type ShardedArray } from './notation.ts'

export interface Footprint {
  readonly localShape: readonly number[]
  readonly bytesPerDevice: number
  /** One copy of the array. */
  readonly copyBytes: number
  /** Over all devices, replicas counted. */
  readonly totalBytes: number
  /** `totalBytes / copyBytes`. */
  readonly replicas: number
}

/**
 * Memory of a sharded array. Book ch. 3, C1 and C2.
 * @param array in the book's notation, `A[I_XY, J]`, or parsed
 * @param bytesPerElement of its dtype (bf16: 2)
 * @throws ShardingError for a sharding that cannot be
 */
export function footprint(array: string | ShardedArray, dims: Dims, mesh: Mesh, bytesPerElement = 2): Footprint {
  requirePositive('footprint', { bytesPerElement })
  const sharded = typeof array === 'string' ? parseShardedArray(array, Object.keys(mesh)) : array
  const local = localArray(sharded, dims, mesh)
  const copyBytes = product(sharded.dims.map(({ name }) => dimLength(name, dims, sharded.name))) * bytesPerElement
  const bytesPerDevice = local.elements * bytesPerElement
  const totalBytes = bytesPerDevice * meshDevices(mesh)
  return { localShape: local.shape, bytesPerDevice, copyBytes, totalBytes, replicas: totalBytes / copyBytes }
}

/**
 * Total bytes over one copy: the product of the mesh axes that a sharding leaves unused. Book ch. 3, C2.
 * @param shardedAxes axes in the subscripts of the array
 */
export function replicationRatio(mesh: Mesh, shardedAxes: readonly string[]): number {
  return meshDevices(mesh) / axesSize(mesh, shardedAxes, 'replicationRatio')
}
