import { ShardingError } from './shardingError.ts'

/** One dimension of an array and the mesh axes it is split over, outermost first: `I_XY`. */
export interface ShardedDim {
  readonly name: string
  readonly axes: readonly string[]
}

/** An array in the book's notation, `A[I_X, J]{U_Y}`: split over X along I, a partial sum over Y. */
export interface ShardedArray {
  readonly name: string
  readonly dims: readonly ShardedDim[]
  /** Mesh axes over which the array still has to be summed. */
  readonly unreduced: readonly string[]
}

/** `left * right -> result`. */
export interface ShardedMatmul {
  readonly left: ShardedArray
  readonly right: ShardedArray
  readonly result: ShardedArray
}

/**
 * Axes of a subscript: `XY` is X and Y, `{data,model}` names longer ones, and a whole name of the mesh is one axis.
 */
function parseAxes(subscript: string, meshAxes: readonly string[] | undefined): string[] {
  if (subscript.startsWith('{'))
    return subscript
      .slice(1, -1)
      .split(',')
      .map((axis) => axis.trim())
  if (meshAxes?.includes(subscript)) return [subscript]
  return [...subscript]
}

function parseDim(text: string, array: string, meshAxes: readonly string[] | undefined): ShardedDim {
  const match = /^([A-Za-z][A-Za-z0-9]*|[0-9]+)(?:_(\{[^{}]+\}|[A-Za-z][A-Za-z0-9]*))?$/.exec(text.trim())
  if (match === null) {
    throw new ShardingError(
      `${array}: "${text.trim()}" is no dimension; expected a name with axes, like I, I_X or I_XY`,
    )
  }
  const [, name, subscript] = match
  return { name: name!, axes: subscript === undefined ? [] : parseAxes(subscript, meshAxes) }
}

/** Splits at commas outside braces. */
const splitDims = (inside: string): string[] => inside.split(/,(?![^{]*\})/)

/**
 * Reads one array, `A[I_X, J]` or `C[I_X, K]{U_Y}`. Dimensions are names or plain lengths (`8_X`).
 * @param meshAxes names of the mesh axes, so that longer ones are recognised; one letter an axis unless given
 * @throws ShardingError for text that is no such array
 */
export function parseShardedArray(text: string, meshAxes?: readonly string[]): ShardedArray {
  const match = /^\s*([A-Za-z]\w*)?\s*\[([^\]]*)\]\s*(?:\{\s*U_(\{[^{}]+\}|[A-Za-z0-9]+)\s*\})?\s*$/.exec(text)
  if (match === null) {
    throw new ShardingError(`"${text.trim()}" is no array; expected a name, dimensions and axes, like A[I_X, J]{U_Y}`)
  }
  const [, name = '', inside, unreduced] = match
  return {
    name,
    dims: splitDims(inside!).map((dim) => parseDim(dim, name, meshAxes)),
    unreduced: unreduced === undefined ? [] : parseAxes(unreduced, meshAxes),
  }
}

/**
 * Reads a matmul, `A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y]`. Between the operands stands `*`, `.`, `@`, `·` or nothing.
 * @param meshAxes names of the mesh axes, so that longer ones are recognised
 * @throws ShardingError for text that is no such matmul
 */
export function parseShardedMatmul(text: string, meshAxes?: readonly string[]): ShardedMatmul {
  const sides = text.split(/->|→/)
  const operands = sides[0]!.match(/([A-Za-z]\w*)?\s*\[[^\]]*\](\s*\{\s*U_(?:\{[^{}]*\}|\w+)\s*\})?/g)
  const rest = operands?.reduce((left, operand) => left.replace(operand, ''), sides[0]!).trim()
  if (sides.length !== 2 || operands?.length !== 2 || !/^[*.@·×]?$/.test(rest ?? '?')) {
    throw new ShardingError(`"${text}" is no sharded matmul; expected the form A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y]`)
  }
  const [left, right, result] = [operands[0]!, operands[1]!, sides[1]!].map((one) => parseShardedArray(one, meshAxes))
  return { left: left!, right: right!, result: result! }
}

const subscript = (axes: readonly string[]): string =>
  axes.every((axis) => axis.length === 1) ? axes.join('') : `{${axes.join(',')}}`

/** Writes an array in the notation it is read from. */
export function showShardedArray(array: ShardedArray): string {
  const dims = array.dims.map(({ name, axes }) => (axes.length === 0 ? name : `${name}_${subscript(axes)}`))
  const unreduced = array.unreduced.length === 0 ? '' : `{U_${subscript(array.unreduced)}}`
  return `${array.name}[${dims.join(', ')}]${unreduced}`
}

/** The axes as they stand in a subscript: `XY`, or `{data,model}` for longer names. */
export const showAxes = subscript
