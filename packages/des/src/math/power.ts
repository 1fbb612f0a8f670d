import { expOfSum } from './exponential.ts'
import { logSum, productError, splitLog } from './logarithm.ts'

const isOdd = (y: number): boolean => Number.isInteger(y) && y % 2 !== 0

/** x^y for positive finite x and finite y, through log(x) in two doubles. */
function positivePower(x: number, y: number): number {
  if (x === 1) return 1
  if (y === 1) return x
  splitLog(x)
  const high = logSum[0]!
  const product = y * high
  if (!(Math.abs(product) < 1000)) return product > 0 ? Number.POSITIVE_INFINITY : 0
  return expOfSum(product, productError(y, high, product) + y * logSum[1]!)
}

/** x to the power y with the special cases of ECMAScript (1 to an infinite power is NaN). Error below 1 ulp. */
export function pow(x: number, y: number): number {
  if (y === 0) return 1
  if (Number.isNaN(x) || Number.isNaN(y)) return Number.NaN
  const magnitude = Math.abs(x)
  if (y === Number.POSITIVE_INFINITY || y === Number.NEGATIVE_INFINITY) {
    if (magnitude === 1) return Number.NaN
    return magnitude > 1 === y > 0 ? Number.POSITIVE_INFINITY : 0
  }
  const negative = x < 0 || Object.is(x, -0)
  if (magnitude === 0 || magnitude === Number.POSITIVE_INFINITY) {
    const result = (magnitude === 0) === y > 0 ? 0 : Number.POSITIVE_INFINITY
    return negative && isOdd(y) ? -result : result
  }
  if (!negative) return positivePower(x, y)
  if (!Number.isInteger(y)) return Number.NaN
  return isOdd(y) ? -positivePower(magnitude, y) : positivePower(magnitude, y)
}
