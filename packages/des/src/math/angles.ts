import { FRACTION_BITS, leadingBits, piFixed, toDouble } from '../fixedPoint.ts'

/*
 * x = q pi/2 + r with |r| <= pi/4 (r in two doubles), then the Taylor series of sine or cosine. pi/2 is subtracted in three
 * parts whose products with q are exact; where that is not enough (huge x, or x next to a multiple of pi/2) the
 * reduction is done on BigInt.
 */
const halfPi = piFixed(FRACTION_BITS + 20n) >> 21n
const part1 = leadingBits(halfPi, 33n)
const part2 = leadingBits(halfPi - part1, 33n)
const PART1 = toDouble(part1)
const PART2 = toDouble(part2)
const PART3 = toDouble(halfPi - part1 - part2)
const INVERSE_HALF_PI = 1 / toDouble(halfPi)
const QUARTER_PI = toDouble(halfPi) / 2
const EASY = 100000
const NEAR_MULTIPLE = 1 / 1048576 // 2^-20

/** The reduced angle, in typed arrays so that writing it allocates nothing: r in two doubles, and q mod 4. */
const rest = new Float64Array(2)
let quadrant = 0

const HUGE_BITS = 1300n
let hugeHalfPi: bigint | undefined

/** The exact value of a double |x| >= 0.5 as a fixed-point number with HUGE_BITS fraction bits. */
function exactFixed(x: number): bigint {
  let shift = 0n
  let value = x
  while (!Number.isInteger(value)) {
    value *= 2
    shift += 1n
  }
  return BigInt(value) << (HUGE_BITS - shift)
}

function reduceExactly(x: number): void {
  hugeHalfPi ??= piFixed(HUGE_BITS + 20n) >> 21n
  const fixed = exactFixed(Math.abs(x))
  const q = (2n * fixed + hugeHalfPi) / (2n * hugeHalfPi)
  const r = fixed - q * hugeHalfPi
  const lead = r === 0n ? 0n : leadingBits(r, 53n)
  const signed = x < 0 ? -1 : 1
  const turns = Number(q & 3n)
  quadrant = x < 0 ? (4 - turns) & 3 : turns
  rest[0] = signed * toDouble(lead, HUGE_BITS)
  rest[1] = signed * toDouble(r - lead, HUGE_BITS)
}

/** Reduces a finite x to (quadrant, r). */
function reduce(x: number): void {
  if (Math.abs(x) <= QUARTER_PI) {
    quadrant = 0
    rest[0] = x
    rest[1] = 0
    return
  }
  if (Math.abs(x) > EASY) {
    reduceExactly(x)
    return
  }
  const q = Math.round(x * INVERSE_HALF_PI)
  const a = x - q * PART1
  const b = q * PART2
  const high = a - b
  if (Math.abs(high) < NEAR_MULTIPLE) {
    reduceExactly(x)
    return
  }
  const v = a - high
  const low = v - b + (a - (v + high)) - q * PART3
  quadrant = q & 3
  const sum = high + low
  rest[0] = sum
  rest[1] = high - sum + low
}

const sineTail = (z: number): number =>
  -1 / 6 +
  z *
    (1 / 120 +
      z *
        (-1 / 5040 +
          z *
            (1 / 362880 +
              z * (-1 / 39916800 + z * (1 / 6227020800 + z * (-1 / 1307674368000 + z * (1 / 355687428096000)))))))

const cosineTail = (z: number): number =>
  1 / 24 +
  z *
    (-1 / 720 +
      z *
        (1 / 40320 +
          z *
            (-1 / 3628800 +
              z * (1 / 479001600 + z * (-1 / 87178291200 + z * (1 / 20922789888000 + z * (-1 / 6402373705728000)))))))

function sineOfRest(): number {
  const rHigh = rest[0]!
  const rLow = rest[1]!
  const z = rHigh * rHigh
  return rHigh + (rHigh * z * sineTail(z) + rLow * (1 - 0.5 * z))
}

function cosineOfRest(): number {
  const rHigh = rest[0]!
  const rLow = rest[1]!
  const z = rHigh * rHigh
  const lead = 1 - 0.5 * z
  return lead + (1 - lead - 0.5 * z + (z * z * cosineTail(z) - rHigh * rLow))
}

/** The sine of x radians; NaN for infinities. Error below 1 ulp. */
export function sin(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN
  if (x === 0) return x
  reduce(x)
  const value = (quadrant & 1) === 0 ? sineOfRest() : cosineOfRest()
  return quadrant >= 2 ? -value : value
}

/** The cosine of x radians; NaN for infinities. Error below 1 ulp. */
export function cos(x: number): number {
  if (!Number.isFinite(x)) return Number.NaN
  reduce(x)
  const value = (quadrant & 1) === 0 ? cosineOfRest() : sineOfRest()
  return quadrant === 1 || quadrant === 2 ? -value : value
}
