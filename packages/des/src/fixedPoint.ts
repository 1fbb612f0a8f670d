/**
 * Fixed-point constants and series on BigInt: exact integers, so that the tables of `math.ts` have the same bits on
 * every JavaScript engine. Only used while tables are built and for the rare huge angle.
 */
export const FRACTION_BITS = 160n
export const ONE = 1n << FRACTION_BITS

/** `2 * atanh(numerator / denominator)` in fixed point, that is log((1 + z) / (1 - z)) for z = numerator / denominator. */
export function logRatio(numerator: bigint, denominator: bigint): bigint {
  let term = (numerator << FRACTION_BITS) / denominator
  let sum = 0n
  for (let k = 1n; term !== 0n; k += 2n) {
    sum += term / k
    term = (((term * numerator) / denominator) * numerator) / denominator
  }
  return 2n * sum
}

/** log(2) = 2 atanh(1/3). */
export const LN2 = logRatio(1n, 3n)
/** log(10) = 3 log(2) + log(5/4), and log(5/4) = 2 atanh(1/9). */
export const LN10 = 3n * LN2 + logRatio(1n, 9n)

/** exp(x) for a fixed-point `x` of modest size, by its Taylor series. */
export function expFixed(x: bigint): bigint {
  let term = ONE
  let sum = 0n
  for (let k = 1n; term !== 0n; k += 1n) {
    sum += term
    term = (term * x) / k / ONE
  }
  return sum
}

const arctanOfInverse = (n: bigint, bits: bigint): bigint => {
  let power = (1n << bits) / n
  let sum = 0n
  for (let k = 1n; power !== 0n; k += 2n) {
    sum += k % 4n === 1n ? power / k : -(power / k)
    power /= n * n
  }
  return sum
}

/** pi with `bits` fraction bits (a few last ones off), by Machin's formula 16 atan(1/5) - 4 atan(1/239). */
export const piFixed = (bits: bigint): bigint => 16n * arctanOfInverse(5n, bits) - 4n * arctanOfInverse(239n, bits)

/** The fixed-point number `x` (with `bits` fraction bits) as the nearest double, by keeping 64 leading bits. */
export function toDouble(x: bigint, bits: bigint = FRACTION_BITS): number {
  const negative = x < 0n
  const magnitude = negative ? -x : x
  const length = BigInt(magnitude.toString(2).length)
  const shift = length > 64n ? length - 64n : 0n
  // A sticky bit keeps Number()'s rounding to nearest correct after the cut.
  const sticky = shift > 0n && (magnitude & ((1n << shift) - 1n)) !== 0n ? 1n : 0n
  let value = Number((magnitude >> shift) | sticky)
  for (let exponent = shift - bits; exponent !== 0n; ) {
    const step = exponent > 900n ? 900n : exponent < -900n ? -900n : exponent
    value *= step > 0n ? Number(1n << step) : 1 / Number(1n << -step)
    exponent -= step
  }
  return negative ? -value : value
}

/** `x` rounded toward zero to its leading `keep` bits: a double that leaves room for exact products. */
export function leadingBits(x: bigint, keep: bigint): bigint {
  const length = BigInt((x < 0n ? -x : x).toString(2).length)
  const drop = length - keep
  return drop <= 0n ? x : (x / (1n << drop)) * (1n << drop)
}
