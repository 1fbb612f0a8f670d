import { product } from '@windtunnel/hardware'
import type { ShardedArray } from './notation.ts'
import { showShardedArray } from './notation.ts'
import { ShardingError } from './shardingError.ts'

/** A device mesh: axis name -> devices along it. */
export type Mesh = Readonly<Record<string, number>>

/** Length of each named dimension; a dimension written as a number needs no entry. */
export type Dims = Readonly<Record<string, number>>

export const meshDevices = (mesh: Mesh): number => product(Object.values(mesh))

/** Devices along several axes together. */
export function axesSize(mesh: Mesh, axes: readonly string[], where: string): number {
  return axes.reduce((all, axis) => {
    const size = Object.hasOwn(mesh, axis) ? mesh[axis] : undefined
    if (size === undefined || !Number.isSafeInteger(size) || size < 1) {
      const found = size === undefined ? 'is not in the mesh' : `has size ${size}`
      const known = Object.entries(mesh).map(([name, length]) => `${name}=${length}`)
      throw new ShardingError(`${where}: mesh axis ${axis} ${found}; the mesh is ${known.join(', ')}`)
    }
    return all * size
  }, 1)
}

/** Length of a dimension, from `dims` or, for a number, from its own name. */
export function dimLength(name: string, dims: Dims, where: string): number {
  const length = Object.hasOwn(dims, name) ? dims[name] : /^[0-9]+$/.test(name) ? Number(name) : undefined
  if (length !== undefined && Number.isSafeInteger(length) && length > 0) return length
  const found = length === undefined ? 'no length' : `length ${length}`
  throw new ShardingError(`${where}: dimension ${name} has ${found}; give a positive whole number, like ${name}=1024`)
}

/**
 * Checks what any sharded array must keep: a mesh axis shards one dimension at most, and none that is still unreduced.
 * @throws ShardingError that names the axis and both of its uses
 */
export function checkAxesOnce(array: ShardedArray): void {
  const used = new Map<string, string>()
  const uses = [
    ...array.dims.flatMap((dim) => dim.axes.map((axis) => [axis, `dimension ${dim.name}`] as const)),
    ...array.unreduced.map((axis) => [axis, 'the unreduced sum'] as const),
  ]
  for (const [axis, use] of uses) {
    const earlier = used.get(axis)
    if (earlier !== undefined) {
      throw new ShardingError(
        `${showShardedArray(array)}: mesh axis ${axis} is used by ${earlier} and by ${use}; an axis may appear once in ` +
          'an array, because a device has one place along it and would hold only the diagonal blocks. ' +
          `Gather one of the two over ${axis} first, or shard it over another axis`,
      )
    }
    used.set(axis, use)
  }
}

/** What one device holds of an array. */
export interface LocalArray {
  readonly shape: readonly number[]
  readonly elements: number
}

/**
 * The local shape: each dimension divided by the devices along the axes in its subscript. Book ch. 3, C1; ch. 10, J1.
 * @throws ShardingError for an axis used twice or unknown, a dimension without length, or one that does not divide
 */
export function localArray(array: ShardedArray, dims: Dims, mesh: Mesh): LocalArray {
  checkAxesOnce(array)
  const where = showShardedArray(array)
  const shape = array.dims.map(({ name, axes }) => {
    const length = dimLength(name, dims, where)
    const ways = axesSize(mesh, axes, where)
    if (length % ways === 0) return length / ways
    const up = Math.ceil(length / ways) * ways
    throw new ShardingError(`${where}: ${name}=${length} does not divide into ${ways} shards; pad it to ${up}`)
  })
  axesSize(mesh, array.unreduced, where)
  return { shape, elements: product(shape) }
}
