import { type ShardedArray, type ShardedMatmul, showShardedArray } from './notation.ts'
import { ShardingError } from './shardingError.ts'

/** The dimensions of a matmul by their part in it, in the order they are written. */
export interface MatmulDims {
  /** In both operands, not in the result: summed over. */
  readonly contracted: readonly string[]
  /** In both operands and in the result. */
  readonly batch: readonly string[]
  /** In the left operand and the result. */
  readonly leftFree: readonly string[]
  /** In the right operand and the result. */
  readonly rightFree: readonly string[]
}

const names = (array: ShardedArray): string[] => array.dims.map((dim) => dim.name)

function checkDistinct(array: ShardedArray): void {
  const seen = names(array)
  const twice = seen.find((name, index) => seen.indexOf(name) !== index)
  if (twice === undefined) return
  throw new ShardingError(`${showShardedArray(array)}: dimension ${twice} appears twice; give each its own name`)
}

/**
 * Sorts the dimensions of `left * right -> result` into contracted, batch and free ones.
 * @throws ShardingError where a dimension repeats, is lost, or comes from nowhere
 */
export function matmulDims({ left, right, result }: ShardedMatmul): MatmulDims {
  for (const array of [left, right, result]) checkDistinct(array)
  const [inLeft, inRight, inResult] = [names(left), names(right), names(result)]
  const alien = inResult.find((name) => !inLeft.includes(name) && !inRight.includes(name))
  if (alien !== undefined) {
    throw new ShardingError(`${showShardedArray(result)}: dimension ${alien} is in neither operand`)
  }
  const lost = [...inLeft, ...inRight].find(
    (name) => !inResult.includes(name) && !(inLeft.includes(name) && inRight.includes(name)),
  )
  if (lost !== undefined) {
    const where = inLeft.includes(lost) ? left : right
    throw new ShardingError(
      `${showShardedArray(where)}: dimension ${lost} is neither in the other operand nor in the result; ` +
        'a contracted dimension must be in both operands',
    )
  }
  const both = inLeft.filter((name) => inRight.includes(name))
  return {
    contracted: both.filter((name) => !inResult.includes(name)),
    batch: both.filter((name) => inResult.includes(name)),
    leftFree: inLeft.filter((name) => !inRight.includes(name)),
    rightFree: inRight.filter((name) => !inLeft.includes(name)),
  }
}

/** The mesh axes that shard a dimension of an array; none where the array lacks it. */
export const axesOf = (array: ShardedArray, dim: string): readonly string[] =>
  array.dims.find(({ name }) => name === dim)?.axes ?? []
