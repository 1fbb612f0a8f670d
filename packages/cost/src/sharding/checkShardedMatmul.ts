import type { MatmulRule } from './matmulRule.ts'
import { checkAxesOnce } from './mesh.ts'
import { type ShardedMatmul, showShardedArray } from './notation.ts'
import { ShardingError } from './shardingError.ts'

/**
 * Checks that both operands and the result are shardings that can be.
 * @throws ShardingError that names the array and the axis; for case 4 also what to gather
 */
export function checkShardedMatmul({ left, right, result }: ShardedMatmul, rule: MatmulRule): void {
  for (const operand of [left, right]) {
    checkAxesOnce(operand)
    if (operand.unreduced.length > 0) {
      throw new ShardingError(`${showShardedArray(operand)}: an operand may not be unreduced; reduce it first`)
    }
  }
  try {
    checkAxesOnce(result)
  } catch (error) {
    if (rule.case !== 4) throw error
    const [a, b] = [showShardedArray(left), showShardedArray(right)]
    throw new ShardingError(
      `${a} * ${b}: ${rule.reason}; ${rule.summary.replace('invalid: ', '')}. ` +
        (error instanceof Error ? error.message : String(error)),
    )
  }
}
