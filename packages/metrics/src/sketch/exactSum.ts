import { SECONDS_PER_TICK } from '../ticks.ts'
import { DOUBLE_ZERO } from './doubleZero.ts'

const LIMB = 4_194_304 // 2^22
const PER_LIMB = 1 / LIMB
const EXACT = 9_007_199_254_740_992 // 2^53: whole numbers below are exact, and so is a sum of them that stays below
const TICKS_IN_THIRD = LIMB * LIMB // 2^44: the third limb counts whole seconds

/**
 * A sum of products of whole numbers below 2^53, exact in any order: three limbs of 2^22, the last one open. A run of
 * steps added in closed form and the same steps added one by one give the same bits.
 */
export class ExactSum {
  private low = DOUBLE_ZERO
  private middle = DOUBLE_ZERO
  private high = DOUBLE_ZERO
  /** Products not yet in the limbs, as long as their sum stays below 2^53. */
  private loose = DOUBLE_ZERO

  /** Adds `a * b`; both whole, 0 <= a, b < 2^53. */
  addProduct(a: number, b: number): void {
    const loose = this.loose + a * b
    if (loose < EXACT) this.loose = loose
    else this.addToLimbs(a, b)
  }

  /** Adds `weight` times the sum of `first + j * growth` over j = 0, 1 ... below `count`. */
  addSeries(first: number, growth: number, count: number, weight: number): void {
    // count (count - 1) / 2 is whole, and so is its product with the weight.
    const growths = ((count * (count - 1)) / 2) * weight
    const loose = this.loose + (first * (count * weight) + growth * growths)
    if (loose < EXACT) this.loose = loose
    else {
      this.addToLimbs(first, count * weight)
      this.addToLimbs(growth, growths)
    }
  }

  add(value: number): void {
    this.addProduct(value, 1)
  }

  addSum(other: ExactSum): void {
    other.settle()
    this.low += other.low
    this.middle += other.middle
    this.high += other.high
    this.carry()
  }

  clear(): void {
    this.loose = 0
    this.low = 0
    this.middle = 0
    this.high = 0
  }

  /** The sum as seconds when what was added were ticks; rounded, from the same limbs always to the same bits. */
  seconds(): number {
    this.settle()
    return this.high + (this.middle * LIMB + this.low) * SECONDS_PER_TICK
  }

  private addToLimbs(a: number, b: number): void {
    this.settle()
    const aUpper = Math.floor(a * PER_LIMB)
    const a0 = a - aUpper * LIMB
    const a2 = Math.floor(aUpper * PER_LIMB)
    const a1 = aUpper - a2 * LIMB
    const bUpper = Math.floor(b * PER_LIMB)
    const b0 = b - bUpper * LIMB
    const b2 = Math.floor(bUpper * PER_LIMB)
    const b1 = bUpper - b2 * LIMB
    this.low += a0 * b0
    this.middle += a0 * b1 + a1 * b0
    this.high += a0 * b2 + a1 * b1 + a2 * b0 + (a1 * b2 + a2 * b1) * LIMB + a2 * b2 * TICKS_IN_THIRD
    this.carry()
  }

  private settle(): void {
    const loose = this.loose
    this.loose = 0
    const upper = Math.floor(loose * PER_LIMB)
    this.low += loose - upper * LIMB
    this.middle += upper
    this.carry()
  }

  private carry(): void {
    const fromLow = Math.floor(this.low * PER_LIMB)
    this.low -= fromLow * LIMB
    this.middle += fromLow
    const fromMiddle = Math.floor(this.middle * PER_LIMB)
    this.middle -= fromMiddle * LIMB
    this.high += fromMiddle
  }
}
