import { product } from '@windtunnel/hardware'
import { requirePositive } from '../costInputError.ts'
import { checkShardedMatmul } from './checkShardedMatmul.ts'
import { computeLayouts } from './computeLayouts.ts'
import { matmulDims } from './matmulDims.ts'
import { dimsOf, type MatmulPlan, type MatmulPlanInput, planUnder } from './matmulPlan.ts'
import { type MatmulRule, matmulRule } from './matmulRule.ts'
import { dimLength, localArray } from './mesh.ts'
import { parseShardedMatmul, type ShardedArray, type ShardedMatmul, showShardedArray } from './notation.ts'
import { cheaperFirst, worthwhile } from './planChoice.ts'
import { ShardingError } from './shardingError.ts'

export interface ShardedMatmulPlans {
  readonly matmul: ShardedMatmul
  readonly rule: MatmulRule
  /** Local shapes and bytes of the arrays as they are sharded, before and after. */
  readonly arrays: Readonly<Record<'left' | 'right' | 'result', { localShape: readonly number[]; bytes: number }>>
  /** The book's FLOPs for one copy of the work: twice the product of all dimensions. */
  readonly flops: number
  /** Every way, the cheapest first: by time, or by FLOPs of a device and then bytes where there are no times. */
  readonly plans: readonly MatmulPlan[]
  readonly cheapest: MatmulPlan
}

/**
 * Plans a sharded matmul on a mesh: its case, the local shapes, and every way to carry it out (gather either operand,
 * multiply parts and reduce, move an axis), with memory, FLOPs and time of each, the cheapest first. Book ch. 3, C1,
 * C12, C13.
 * @param matmul `A[I_X, J_Y] * B[J_Y, K] -> C[I_X, K]`, or parsed
 * @throws ShardingError for a sharding that cannot be, with the reason and what to gather
 */
export function planShardedMatmul(matmul: string | ShardedMatmul, input: MatmulPlanInput): ShardedMatmulPlans {
  const { mesh, dims, bytesPerElement = 2 } = input
  requirePositive('planShardedMatmul', { bytesPerElement })
  const parsed = typeof matmul === 'string' ? parseShardedMatmul(matmul, Object.keys(mesh)) : matmul
  const kinds = matmulDims(parsed)
  const rule = matmulRule(parsed)
  checkShardedMatmul(parsed, rule)
  const arrayOf = (array: ShardedArray) => {
    const { shape, elements } = localArray(array, dims, mesh)
    return { localShape: shape, bytes: elements * bytesPerElement }
  }
  const arrays = { left: arrayOf(parsed.left), right: arrayOf(parsed.right), result: arrayOf(parsed.result) }
  const context = { matmul: parsed, kinds, input, bytesPerElement }
  const layouts = computeLayouts(parsed, kinds).filter((layout) => {
    const partial = kinds.contracted.flatMap((dim) => layout[dim] ?? [])
    return parsed.result.unreduced.every((axis) => partial.includes(axis))
  })
  const wide = input.useIdleAxes === true ? layouts.map((layout) => planUnder(context, layout, true)) : []
  const all = [...layouts.map((layout) => planUnder(context, layout)), ...wide]
  const plans = worthwhile(all, parsed.result.name).sort(cheaperFirst)
  const [cheapest] = plans
  if (cheapest === undefined) {
    throw new ShardingError(
      `${showShardedArray(parsed.result)}: the result can only stay unreduced over axes that shard the contraction of both operands`,
    )
  }
  const names = [...new Set([...dimsOf(parsed.left), ...dimsOf(parsed.right)])]
  const flops = 2 * product(names.map((name) => dimLength(name, dims, showShardedArray(parsed.result))))
  return { matmul: parsed, rule, arrays, flops, plans, cheapest }
}
