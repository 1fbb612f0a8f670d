import { product } from '@windtunnel/hardware'
import { paddedShape } from '../accelerators/padding.ts'
import { type CollectiveKind, collectiveKinds } from '../collectives/collectiveKind.ts'
import { requirePositive } from '../costInputError.ts'
import { mathSeconds, moveSeconds, type TimeBounds, timeBounds } from '../rooflines/time.ts'
import { type HloArray, HloError, type HloOperator, hloBytesPerElement, parseHlo } from './hlo.ts'

/** Bytes of an HLO array as stored: its tile pads the last dimensions. Book ch. 9, P1. */
export function hloBytes(array: HloArray): { readonly bytes: number; readonly paddedBytes: number } {
  const each = hloBytesPerElement(array.dtype)
  const bytes = product(array.shape) * each
  const padded = array.tile === undefined ? bytes : paddedShape(array.shape, array.tile).elements * each
  return { bytes, paddedBytes: padded }
}

/**
 * FLOPs of a local matmul from the sizes of its arrays: `2 sqrt(|A| |B| |C|)`, which is `2 M K N` when nothing is a batch
 * dimension. Book ch. 9, P2.
 */
export function matmulFlopsOfShapes(
  left: readonly number[],
  right: readonly number[],
  result: readonly number[],
): number {
  return 2 * Math.round(Math.sqrt(product(left)) * Math.sqrt(product(right)) * Math.sqrt(product(result)))
}

/** Peaks of one core and the links it uses. */
export interface ProfileTarget {
  /** FLOP/s of one core. */
  readonly peakFlopsPerSecond: number
  /** Memory bandwidth of one core, bytes/s; left out, memory is not counted. */
  readonly hbmBytesPerSecond?: number
  /** Bandwidth that a collective sees, bytes/s. */
  readonly linkBytesPerSecond?: number
}

/** What an operator should take, in seconds. */
export interface ExpectedTime extends TimeBounds {
  readonly operator: HloOperator
  readonly collective: CollectiveKind | undefined
  readonly flops: number
  readonly bytes: number
}

const collectiveOf = (operation: string): CollectiveKind | undefined =>
  collectiveKinds.find((kind) => operation === kind || operation === `${kind}-start`)

/** The book's V of a collective line: what an AllGather gives, and what the others take. Twice for an AllReduce. */
function collectiveBytes(kind: CollectiveKind, { result, operands }: HloOperator): number {
  const given = operands.map((operand) => hloBytes(operand).bytes)
  const taken = given.reduce((sum, one) => sum + one, 0)
  const gathered = hloBytes(result).bytes
  if (kind === 'all-gather') return Math.max(taken, gathered)
  return kind === 'all-reduce' ? 2 * taken : taken
}

/**
 * Expected time of an operator from its HLO line: local FLOPs over the peak of a core for a matmul, shard bytes over link
 * bandwidth for a collective. Book ch. 9, P2.
 * @param line an operator with the shapes of its operands
 * @throws HloError for a line that cannot be read, or a collective without a link bandwidth
 */
export function expectedTime(line: string, target: ProfileTarget): ExpectedTime {
  const operator = parseHlo(line)
  const collective = collectiveOf(operator.operation)
  if (collective !== undefined) {
    if (target.linkBytesPerSecond === undefined) {
      throw new HloError(`${operator.name} is a collective (${collective}); give linkBytesPerSecond`)
    }
    const bytes = collectiveBytes(collective, operator)
    const move = moveSeconds(bytes, target.linkBytesPerSecond)
    return { operator, collective, flops: 0, bytes, ...timeBounds(0, move) }
  }
  const [left, right] = operator.operands
  if (left === undefined || right === undefined) {
    throw new HloError(`${operator.name} (${operator.operation}) shows no two operands with shapes; expected a matmul`)
  }
  const flops = matmulFlopsOfShapes(left.shape, right.shape, operator.result.shape)
  const bytes = [operator.result, left, right].reduce((sum, array) => sum + hloBytes(array).paddedBytes, 0)
  const move = target.hbmBytesPerSecond === undefined ? 0 : moveSeconds(bytes, target.hbmBytesPerSecond)
  return { operator, collective, flops, bytes, ...timeBounds(mathSeconds(flops, target.peakFlopsPerSecond), move) }
}

/** Expected over measured time: the share of the peak an operator reached. Book ch. 9, P2. */
export function utilisation(expectedSeconds: number, measuredSeconds: number): number {
  requirePositive('utilisation', { measuredSeconds })
  return expectedSeconds / measuredSeconds
}

/** How many times faster a program became: time before over time after. Book ch. 9. */
export function speedup(beforeSeconds: number, afterSeconds: number): number {
  requirePositive('speedup', { beforeSeconds, afterSeconds })
  return beforeSeconds / afterSeconds
}
