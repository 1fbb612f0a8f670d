import { expFixed, LN2, leadingBits, toDouble } from '../fixedPoint.ts'
import { POWER_ZERO, powersOfTwo } from './powersOfTwo.ts'

/*
 * x = k log(2)/64 + r with |r| < 0.0055: exp(x) = 2^(k/64) exp(r). 2^(j/64) comes from a table in two parts, exp(r) - 1
 * from its Taylor series.
 */
const PER_OCTAVE = 64
const powerHigh = new Float64Array(PER_OCTAVE)
const powerLow = new Float64Array(PER_OCTAVE)
for (let j = 0; j < PER_OCTAVE; j++) {
  const exact = expFixed((LN2 * BigInt(j)) / BigInt(PER_OCTAVE))
  const high = leadingBits(exact, 53n)
  powerHigh[j] = toDouble(high)
  powerLow[j] = toDouble(exact - high)
}

const unit = LN2 / BigInt(PER_OCTAVE)
const unitHighFixed = leadingBits(unit, 32n)
const UNIT_HIGH = toDouble(unitHighFixed)
const UNIT_LOW = toDouble(unit - unitHighFixed)
const INVERSE_UNIT = 1 / toDouble(unit)

const LARGEST = 709.782712893384
const SMALLEST = -745.1332191019412

/** value * 2^q for 1 <= value < 2 and -1075 <= q <= 1024, rounded once. */
function scale(value: number, q: number): number {
  if (q > 1023) return value * 2 * powersOfTwo[POWER_ZERO + q - 1]!
  if (q < -1022) return value * powersOfTwo[POWER_ZERO + q + 100]! * powersOfTwo[POWER_ZERO - 100]!
  return value * powersOfTwo[POWER_ZERO + q]!
}

/** exp(high + low) for a `low` that is tiny beside 1. */
export function expOfSum(high: number, low: number): number {
  if (!(high <= LARGEST)) return high > LARGEST ? Number.POSITIVE_INFINITY : Number.NaN
  if (high < SMALLEST) return 0
  const k = Math.round(high * INVERSE_UNIT)
  const r = high - k * UNIT_HIGH - (k * UNIT_LOW - low)
  const p = r + r * r * (0.5 + r * (1 / 6 + r * (1 / 24 + r * (1 / 120 + r * (1 / 720)))))
  const j = k & (PER_OCTAVE - 1)
  const table = powerHigh[j]!
  return scale(table + (powerLow[j]! + table * p), (k - j) / PER_OCTAVE)
}

/** e to the power x. Error below 1 ulp. */
export const exp = (x: number): number => expOfSum(x, 0)
