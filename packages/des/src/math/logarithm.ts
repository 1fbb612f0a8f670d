import { FRACTION_BITS, LN2, LN10, leadingBits, logRatio, ONE, toDouble } from '../fixedPoint.ts'
import { POWER_ZERO, powersOfTwo } from './powersOfTwo.ts'

/*
 * x = 2^e * m with m in [2^-1/2, 2^1/2). A table gives c = k/256 near 1/m (few bits, so that products with halves of m are
 * exact), r = m c - 1 is then below 2^-7.6, and log(x) = e log(2) - log(c) + log(1 + r), the last by its Taylor series.
 * Around m = 1 the table says c = 1, so that nothing cancels there.
 */
const INDEX_SHIFT = 12
const ENTRIES = 1 << (20 - INDEX_SHIFT + 1)
/** Above these upper mantissa bits (those of sqrt(2)) m is halved. */
const SQRT2_MANTISSA = 0x6a09e
/** Adding and subtracting 1.5 * 2^27 rounds m to a multiple of 2^-25: its leading bits. */
const CUT = 201326592

const reciprocal = new Float64Array(ENTRIES)
const logHigh = new Float64Array(ENTRIES)
const logLow = new Float64Array(ENTRIES)
/** 2^54: lifts subnormals into the normal range. */
const TWO_TO_54 = 18014398509481984
const word = new Float64Array(1)
const bits = new Uint32Array(word.buffer)
word[0] = 1
/** Index of the high word of a double in `bits`: 1 on little-endian machines. */
const HIGH = bits[1] === 0x3ff00000 ? 1 : 0
const SMALLEST_NORMAL = powersOfTwo[POWER_ZERO - 1022]!

const ln2HighFixed = leadingBits(LN2, 32n)
const LN2_HIGH = toDouble(ln2HighFixed)
const LN2_LOW = toDouble(LN2 - ln2HighFixed)

/** Leading parts of table entries are multiples of 2^-42, so that adding exponent * LN2_HIGH stays exact. */
const LEAD_UNIT = 1n << (FRACTION_BITS - 42n)

function fillTable(): void {
  for (let i = 0; i < ENTRIES; i++) {
    // The middle of the interval of m that has this index: exponent bit 1 (m >= 1) or 0 (m < 1), then mantissa bits.
    const half = ENTRIES / 2
    const middle = i >= half ? 1 + (i - half + 0.5) / half : 0.5 + (i + 0.5) / (2 * half)
    const c = Math.abs(middle - 1) < 0.0035 ? 256 : Math.round(256 / middle)
    reciprocal[i] = c / 256
    const minusLog = -logRatio(BigInt(c - 256), BigInt(c + 256))
    const high = (minusLog / LEAD_UNIT) * LEAD_UNIT
    logHigh[i] = toDouble(high)
    logLow[i] = toDouble(minusLog - high)
  }
}
fillTable()

/** log(x) as an unevaluated sum of two doubles, written by `splitLog`: error below 2^-66 of the result. */
export const logSum = new Float64Array(2)

/** log(1 + r) - r for |r| < 2^-7.6, by Taylor's series to r^8. */
const tail = (r: number): number =>
  r * r * (-0.5 + r * (1 / 3 + r * (-0.25 + r * (0.2 + r * (-1 / 6 + r * (1 / 7 - 0.125 * r))))))

/**
 * The natural logarithm; NaN below zero. Error below 1 ulp. (Written in one piece: a call or a shared variable would
 * double its time.)
 */
export const log = (x: number): number => {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return x === 0 ? Number.NEGATIVE_INFINITY : x > 0 ? x : Number.NaN
  word[0] = x
  const high = bits[HIGH]!
  if (high < 0x00100000) return log(x * TWO_TO_54) - 54 * LN2_HIGH - 54 * LN2_LOW
  const upper = (high & 0xfffff) >= SQRT2_MANTISSA ? 1 : 0
  const exponent = (high >>> 20) - 1023 + upper
  const m = x * powersOfTwo[POWER_ZERO - exponent]!
  const mHigh = m + CUT - CUT
  const index = ((high & 0xfffff) + 0x100000 - upper * 0x100000) >>> INDEX_SHIFT
  const c = reciprocal[index]!
  // mHigh has 26 bits, the rest of m 27, and c 9, so both products are exact, and so is the difference from 1.
  const rHigh = mHigh * c - 1
  const rLow = (m - mHigh) * c
  const r = rHigh + rLow
  const rest = rHigh - r + rLow
  // The leading parts have few bits: this sum is exact.
  const lead = exponent * LN2_HIGH + logHigh[index]!
  const sum = lead + r
  const sumRest = lead === 0 ? rest : lead - sum + r + rest
  return sum + (tail(r) + (sumRest + (exponent * LN2_LOW + logLow[index]!)))
}

const SPLIT = 134217729 // 2^27 + 1

/** The rounding error of the product a * b = p, by Dekker's splitting; |a|, |b| below 2^995. */
export function productError(a: number, b: number, p: number): number {
  const ca = SPLIT * a
  const aHigh = ca - (ca - a)
  const aLow = a - aHigh
  const cb = SPLIT * b
  const bHigh = cb - (cb - b)
  const bLow = b - bHigh
  return aHigh * bHigh - p + aHigh * bLow + aLow * bHigh + aLow * bLow
}

/** log(1 + r) - r + r^2/2 for |r| < 2^-7.6, by Taylor's series to r^10. */
const cubicTail = (r: number): number =>
  r * r * r * (1 / 3 + r * (-0.25 + r * (0.2 + r * (-1 / 6 + r * (1 / 7 + r * (-0.125 + r * (1 / 9 - 0.1 * r)))))))

/** Writes log(x), for positive finite x, into `logSum`; the same reduction as `log`, then everything in two doubles. */
export function splitLog(x: number): void {
  const normal = x < SMALLEST_NORMAL ? x * TWO_TO_54 : x
  word[0] = normal
  const high = bits[HIGH]!
  const upper = (high & 0xfffff) >= SQRT2_MANTISSA ? 1 : 0
  const exponent = (high >>> 20) - 1023 + upper
  const m = normal * powersOfTwo[POWER_ZERO - exponent]!
  const mHigh = m + CUT - CUT
  const index = ((high & 0xfffff) + 0x100000 - upper * 0x100000) >>> INDEX_SHIFT
  const c = reciprocal[index]!
  sumParts(mHigh * c - 1, (m - mHigh) * c, x < SMALLEST_NORMAL ? exponent - 54 : exponent, index)
}

/** log(2^exponent) + the table's part + log(1 + rHigh + rLow), into `logSum`. */
function sumParts(rHigh: number, rLow: number, exponent: number, index: number): void {
  const r = rHigh + rLow
  const rest = rHigh - r + rLow
  const square = r * r
  const half = -0.5 * square
  const halfRest = -0.5 * productError(r, r, square)
  const lead = exponent * LN2_HIGH + logHigh[index]!
  const a = lead + r
  const aRest = lead === 0 ? 0 : lead - a + r
  const b = a + half
  const v = b - a
  const bRest = a - (b - v) + (half - v)
  // The second part of r belongs in the square too: -r * rest.
  const low = cubicTail(r) + (rest - r * rest + aRest + bRest + halfRest + (exponent * LN2_LOW + logLow[index]!))
  const sum = b + low
  logSum[0] = sum
  logSum[1] = b - sum + low
}

const INVERSE_LN2 = toDouble((ONE * ONE) / LN2)
const INVERSE_LN2_LOW = toDouble((ONE * ONE) / LN2 - exactFixed(INVERSE_LN2))
const INVERSE_LN10 = toDouble((ONE * ONE) / LN10)
const INVERSE_LN10_LOW = toDouble((ONE * ONE) / LN10 - exactFixed(INVERSE_LN10))

/** A double of (0.25, 2^10) as fixed point, exactly. */
function exactFixed(x: number): bigint {
  return (BigInt(x * TWO_TO_54) * ONE) / BigInt(TWO_TO_54)
}

function scaledLog(x: number, factor: number, factorLow: number): number {
  splitLog(x)
  const high = logSum[0]!
  const product = high * factor
  return product + (productError(high, factor, product) + high * factorLow + logSum[1]! * factor)
}

/** The logarithm to base 2: exact for powers of two. Error below 1 ulp. */
export function log2(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return log(x)
  return scaledLog(x, INVERSE_LN2, INVERSE_LN2_LOW)
}

/** The logarithm to base 10: exact for powers of ten up to 1e22. Error below 1 ulp. */
export function log10(x: number): number {
  if (!(x > 0 && x < Number.POSITIVE_INFINITY)) return log(x)
  return scaledLog(x, INVERSE_LN10, INVERSE_LN10_LOW)
}
