import { SECONDS_PER_TICK, TICKS_PER_SECOND } from '../ticks.ts'
import { DOUBLE_ZERO } from './doubleZero.ts'

const LIMB = 4_194_304 // 2^22: a second is two limbs of ticks
const PER_LIMB = 1 / LIMB
const EXACT = 9_007_199_254_740_992 // 2^53: whole numbers below are exact, and so is a sum of them that stays below
const HALF_FULL = EXACT / 2

/**
 * A sum of products of whole numbers of ticks, exact in any order: whole seconds, and ticks beside them. A run of steps added
 * in closed form and the same steps added one by one give the same bits.
 */
export class ExactSum {
  private whole = DOUBLE_ZERO
  /** Ticks not yet in `whole`, below 2^53: what still fits is one addition. */
  private loose = DOUBLE_ZERO

  /** Adds `a * b`; both whole, 0 <= a, b < 2^53. */
  addProduct(a: number, b: number): void {
    const product = a * b
    const loose = this.loose + product
    if (loose < EXACT) this.loose = loose
    else if (product < EXACT) this.addApart(product)
    else this.addLarge(a, b)
  }

  /** Adds `weight` times the sum of `first + j * growth` over j = 0, 1 ... below `count`. */
  addSeries(first: number, growth: number, count: number, weight: number): void {
    // Twice the sum is even, and so exact below 2^54.
    const twice = (first + (first + (count - 1) * growth)) * (count * weight)
    const loose = this.loose + twice / 2
    if (loose < EXACT) this.loose = loose
    else {
      this.addProduct(first, count * weight)
      // count (count - 1) / 2 is whole, and so is its product with the weight.
      this.addProduct(growth, ((count * (count - 1)) / 2) * weight)
    }
  }

  /** Adds a whole number of any size that a double holds. */
  add(value: number): void {
    const loose = this.loose + value
    if (loose < EXACT) this.loose = loose
    else this.addApart(value)
  }

  addSum(other: ExactSum): void {
    this.whole += other.whole
    this.add(other.loose)
  }

  clear(): void {
    this.whole = 0
    this.loose = 0
  }

  /** The sum as seconds when what was added were ticks; rounded, from the same sum always to the same bits. */
  seconds(): number {
    this.settle()
    return this.whole + this.loose * SECONDS_PER_TICK
  }

  /** Adds what does not fit: its whole seconds apart from the ticks that are left of it. */
  private addApart(value: number): void {
    if (this.loose >= HALF_FULL) this.settle()
    const seconds = Math.floor(value * SECONDS_PER_TICK)
    this.whole += seconds
    this.loose += value - seconds * TICKS_PER_SECOND
  }

  /** Adds a product that a double may not hold, limb by limb. */
  private addLarge(a: number, b: number): void {
    const aUpper = Math.floor(a * PER_LIMB)
    const a0 = a - aUpper * LIMB
    const a2 = Math.floor(aUpper * PER_LIMB)
    const a1 = aUpper - a2 * LIMB
    const bUpper = Math.floor(b * PER_LIMB)
    const b0 = b - bUpper * LIMB
    const b2 = Math.floor(bUpper * PER_LIMB)
    const b1 = bUpper - b2 * LIMB
    const middle = a0 * b1 + a1 * b0
    const seconds = Math.floor(middle * PER_LIMB)
    this.add(a0 * b0 + (middle - seconds * LIMB) * LIMB)
    this.whole += seconds + a0 * b2 + a1 * b1 + a2 * b0 + (a1 * b2 + a2 * b1) * LIMB + a2 * b2 * TICKS_PER_SECOND
  }

  /** Moves the whole seconds of `loose` to where they belong. */
  private settle(): void {
    const seconds = Math.floor(this.loose * SECONDS_PER_TICK)
    this.whole += seconds
    this.loose -= seconds * TICKS_PER_SECOND
  }
}
