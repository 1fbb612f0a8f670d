import { type CollectiveStep, showSteps } from './collectiveStep.ts'
import { axesOf, matmulDims } from './matmulDims.ts'
import { parseShardedMatmul, type ShardedMatmul, showAxes } from './notation.ts'
import { sharedPrefix } from './reshard.ts'

/** The four cases of a sharded matmul. Book ch. 3, C12. */
export const matmulCases = {
  1: 'no contracted dimension is sharded: no communication',
  2: 'one operand is sharded along the contraction: gather it (or multiply parts and reduce)',
  3: 'both are sharded along the contraction over the same axis: multiply locally, then reduce',
  4: 'both are sharded along a free dimension over the same axis: not possible, gather one of them',
}

export interface MatmulRule {
  readonly case: 1 | 2 | 3 | 4
  readonly reason: string
  readonly contracted: readonly string[]
  /** Axes over which the local products are partial sums. */
  readonly partialAxes: readonly string[]
  /** The collectives the book's rule asks for, in order; none for case 4, where one must first choose an operand. */
  readonly collectives: readonly CollectiveStep[]
  /** `none`, `AllGather_X(A)`, `ReduceScatter_X,K(C)`, `invalid: AllGather_X one operand` ... */
  readonly summary: string
}

/** Contraction axes that both operands share, or that one has and the result may stay unreduced over. */
function partialAxesOf({ left, right, result }: ShardedMatmul, contracted: readonly string[]): string[] {
  return contracted.flatMap((dim) => {
    const [own, other] = [axesOf(left, dim), axesOf(right, dim)]
    const shared = sharedPrefix(own, other)
    const longer = own.length > other.length ? own : other
    const open = longer.slice(shared).findIndex((axis) => !result.unreduced.includes(axis))
    return longer.slice(0, open === -1 ? longer.length : shared + open)
  })
}

/** Gathers of each operand over the contraction axes that the other one does not share. */
function contractionGathers(
  { left, right }: ShardedMatmul,
  contracted: readonly string[],
  partialAxes: readonly string[],
): CollectiveStep[] {
  return [left, right].flatMap((operand) => {
    const axes = contracted.flatMap((dim) => axesOf(operand, dim).filter((axis) => !partialAxes.includes(axis)))
    return axes.length === 0 ? [] : [{ kind: 'all-gather' as const, axes, array: operand.name }]
  })
}

/** ReduceScatter where the result is sharded over a partial axis, nothing where it stays unreduced, else AllReduce. */
function reductions({ result }: ShardedMatmul, partialAxes: readonly string[]): CollectiveStep[] {
  const scatters = result.dims.flatMap(({ name, axes }): CollectiveStep[] => {
    const over = axes.filter((axis) => partialAxes.includes(axis))
    return over.length === 0 ? [] : [{ kind: 'reduce-scatter', axes: over, array: result.name, dim: name }]
  })
  const scattered = [...scatters.flatMap((step) => step.axes), ...result.unreduced]
  const rest = partialAxes.filter((axis) => !scattered.includes(axis))
  return rest.length === 0 ? scatters : [...scatters, { kind: 'all-reduce', axes: rest, array: result.name }]
}

/**
 * Which of the four cases a sharded matmul is, and the collectives the book's rule gives. Needs no sizes. Book ch. 3,
 * C12. For the alternatives and their cost, see `planShardedMatmul`.
 * @param matmul `A[I_X, J] * B[J, K_Y] -> C[I_X, K_Y]`, or parsed
 * @throws ShardingError for text or dimensions that make no matmul
 */
export function matmulRule(matmul: string | ShardedMatmul, meshAxes?: readonly string[]): MatmulRule {
  const parsed = typeof matmul === 'string' ? parseShardedMatmul(matmul, meshAxes) : matmul
  const { contracted, leftFree, rightFree } = matmulDims(parsed)
  const { left, right } = parsed
  const leftAxes = leftFree.flatMap((dim) => axesOf(left, dim))
  const clash = rightFree.flatMap((dim) => axesOf(right, dim)).filter((axis) => leftAxes.includes(axis))
  const partialAxes = partialAxesOf(parsed, contracted)
  const gathers = contractionGathers(parsed, contracted, partialAxes)
  const number = clash.length > 0 ? 4 : partialAxes.length > 0 ? 3 : gathers.length > 0 ? 2 : 1
  const collectives = number === 4 ? [] : [...gathers, ...reductions(parsed, partialAxes)]
  const summary = number === 4 ? `invalid: AllGather_${showAxes(clash)} one operand` : showSteps(collectives)
  return { case: number, reason: matmulCases[number], contracted, partialAxes, collectives, summary }
}
