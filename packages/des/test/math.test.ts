import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { expFixed, FRACTION_BITS, LN2, LN10, logRatio, ONE, piFixed, toDouble } from '../src/fixedPoint.ts'
import { cos, exp, log, log2, log10, pow, sin } from '../src/math.ts'

const double = new Float64Array(1)
const integer = new BigInt64Array(double.buffer)

function bitsOf(x: number): string {
  double[0] = x
  return BigInt.asUintN(64, integer[0]!).toString(16).padStart(16, '0')
}

/** Distance between two doubles of one sign, in units of the last place. */
function ulps(a: number, b: number): number {
  double[0] = a
  const x = integer[0]!
  double[0] = b
  return Math.abs(Number(x - integer[0]!))
}

/** A double as numerator over 2^shift, exactly. */
function exactly(x: number): { numerator: bigint; shift: bigint } {
  let value = x
  let shift = 0n
  while (!Number.isInteger(value)) {
    value *= 2
    shift += 1n
  }
  return { numerator: BigInt(value), shift }
}

const fixed = (x: number): bigint => {
  const { numerator, shift } = exactly(x)
  return (numerator * ONE) / (1n << shift)
}

/** log(x) by series on BigInt: x = 2^e m, log(m) = 2 atanh((m-1)/(m+1)). */
function exactLog(x: number): bigint {
  const { numerator, shift } = exactly(x)
  const length = BigInt(numerator.toString(2).length) - 1n
  const denominator = 1n << length
  return (length - shift) * LN2 + logRatio(numerator - denominator, numerator + denominator)
}

function exactExp(x: number): number {
  const q = BigInt(Math.floor(x / 0.6931471805599453))
  const rest = expFixed(fixed(x) - q * LN2)
  return q >= 0n ? toDouble(rest << q) : toDouble(rest, FRACTION_BITS - q)
}

/** sin(x) by its Taylor series on BigInt after taking away multiples of 2 pi. */
function exactSine(x: number, quarterTurns: bigint): number {
  const halfPi = piFixed(FRACTION_BITS) / 2n
  let angle = fixed(x) + quarterTurns * halfPi
  angle -= (angle / (4n * halfPi)) * 4n * halfPi
  let term = angle
  let sum = 0n
  for (let k = 1n; term !== 0n; k += 2n) {
    sum += term
    term = -(((term * angle) / ONE) * angle) / ONE / ((k + 1n) * (k + 2n))
  }
  return toDouble(sum)
}

const positive = fc.oneof(
  fc.double({ min: 1e-30, max: 1e30, noNaN: true }),
  fc.double({ min: 0.5, max: 2, noNaN: true }),
  fc.double({ min: 0.99, max: 1.01, noNaN: true }),
)

describe('portable mathematics against series on exact integers', () => {
  it('log is within one unit in the last place', () => {
    fc.assert(
      fc.property(positive, (x) => ulps(log(x), toDouble(exactLog(x))) <= 1),
      { numRuns: 2000 },
    )
  })
  it('log2 and log10 are within one unit in the last place', () => {
    fc.assert(
      fc.property(positive, (x) => {
        const natural = exactLog(x)
        expect(ulps(log2(x), toDouble((natural * ONE) / LN2))).toBeLessThanOrEqual(1)
        expect(ulps(log10(x), toDouble((natural * ONE) / LN10))).toBeLessThanOrEqual(1)
      }),
      { numRuns: 2000 },
    )
  })
  it('exp is within one unit in the last place', () => {
    fc.assert(
      fc.property(fc.double({ min: -40, max: 100, noNaN: true }), (x) => ulps(exp(x), exactExp(x)) <= 1),
      { numRuns: 2000 },
    )
  })
  it('sin and cos are within one unit in the last place, near multiples of pi/2 too', () => {
    const angle = fc.oneof(
      fc.double({ min: -8, max: 8, noNaN: true }),
      fc.double({ min: -90_000, max: 90_000, noNaN: true }),
      fc.integer({ min: -60_000, max: 60_000 }).map((k) => k * 1.5707963267948966),
      fc.double({ min: 1e5, max: 1e9, noNaN: true }),
    )
    fc.assert(
      fc.property(angle, (x) => {
        fc.pre(Math.abs(x) > 1e-3)
        expect(ulps(Math.abs(sin(x)), Math.abs(exactSine(x, 0n)))).toBeLessThanOrEqual(1)
        expect(ulps(Math.abs(cos(x)), Math.abs(exactSine(x, 1n)))).toBeLessThanOrEqual(1)
        expect(Math.sign(sin(x))).toBe(Math.sign(exactSine(x, 0n)))
        expect(Math.sign(cos(x))).toBe(Math.sign(exactSine(x, 1n)))
      }),
      { numRuns: 1000 },
    )
  })
  it('pow is within one unit in the last place', () => {
    const base = fc.double({ min: 1e-3, max: 1e3, noNaN: true })
    const power = fc.double({ min: -9, max: 9, noNaN: true }).filter((y) => Math.abs(y) > 1e-6)
    fc.assert(
      fc.property(base, power, (x, y) => {
        const product = (exactLog(x) * fixed(y)) / ONE
        const q = product / LN2 - (product < 0n ? 1n : 0n)
        const rest = expFixed(product - q * LN2)
        const exact = q >= 0n ? toDouble(rest << q) : toDouble(rest, FRACTION_BITS - q)
        expect(ulps(pow(x, y), exact)).toBeLessThanOrEqual(1)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('exact and special values', () => {
  it('log2 is exact for every power of two, log10 for powers of ten', () => {
    for (let q = -1074, x = 5e-324; q < 1024; q++, x *= 2) expect(log2(x)).toBe(q)
    for (let q = 0; q <= 22; q++) expect(log10(Number(`1e${q}`))).toBe(q)
  })
  it('whole powers that fit a double are exact', () => {
    expect([pow(10, 3), pow(3, 33), pow(2, -1074), pow(-3, 3), pow(1.5, 2), pow(2, 1023)]).toEqual([
      1000, 5559060566555523, 5e-324, -27, 2.25, 8.98846567431158e307,
    ])
  })
  it('knows constants to the last bit', () => {
    expect(bitsOf(log(2))).toBe('3fe62e42fefa39ef')
    expect(bitsOf(log(10))).toBe('40026bb1bbb55516')
    expect(bitsOf(exp(1))).toBe('4005bf0a8b145769')
    expect(bitsOf(pow(2, 0.5))).toBe('3ff6a09e667f3bcd')
    expect(bitsOf(sin(0.5235987755982988))).toBe('3fdfffffffffffff')
    expect(bitsOf(cos(3.141592653589793))).toBe('bff0000000000000')
    // sin of the double nearest to pi is what that double lacks: 1.2246467991473532e-16.
    expect(sin(3.141592653589793)).toBe(1.2246467991473532e-16)
    expect(sin(1e22)).toBe(-0.8522008497671888)
    expect(ulps(cos(1e22), 0.5232147853951389)).toBeLessThanOrEqual(1)
  })
  it('has the special values of ECMAScript', () => {
    const values = [0, -0, 1, -1, 0.5, -0.5, 2, -2, 3, 1e308, 5e-324, Infinity, -Infinity, Number.NaN]
    for (const x of values) {
      for (const [ours, theirs] of [
        [log, Math.log],
        [log2, Math.log2],
        [log10, Math.log10],
        [exp, Math.exp],
        [sin, Math.sin],
        [cos, Math.cos],
      ] as const) {
        if (Number.isFinite(theirs(x)) && theirs(x) !== 0) expect(ours(x)).toBeCloseTo(theirs(x), 9)
        else expect(ours(x)).toBe(theirs(x))
      }
      for (const y of values) {
        const theirs = x ** y
        if (Number.isFinite(theirs) && theirs !== 0) expect(pow(x, y) / theirs).toBeCloseTo(1, 12)
        else expect(pow(x, y)).toBe(theirs)
      }
    }
  })
  it('exp falls to subnormals and zero, and rises to infinity, where it should', () => {
    expect(exp(-745.2)).toBe(0)
    expect(exp(-745.13)).toBe(5e-324)
    expect(exp(709.79)).toBe(Infinity)
    expect(exp(709.78)).toBe(1.7928227943945155e308)
  })
})
