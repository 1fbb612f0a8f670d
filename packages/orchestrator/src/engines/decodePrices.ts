import type { StepCost } from '@windtunnel/cost'
import { TICKS_PER_SECOND } from '@windtunnel/des'
import { emptyPiece } from './decodeTicks.ts'

const COLUMNS = 5

/**
 * What a pure decode step costs, in ticks, remembered by the number of sequences: a step is then a multiplication, and the
 * cost model is asked only for what it was not asked before. `at` finds the place of a price in the columns.
 */
export class DecodePrices {
  /** Per number of sequences: base, slope, window slope (ticks), and the context sums between which they hold. */
  private prices = new Float64Array(0)
  private readonly cost: StepCost
  private readonly piece = emptyPiece()

  constructor(cost: StepCost) {
    this.cost = cost
    this.grow(COLUMNS * 64)
  }

  /** Where the price of a step of so many sequences at this context sum stands. */
  at(sequences: number, contextTokens: number): number {
    const at = sequences * COLUMNS
    const prices = this.prices
    if (at < prices.length && contextTokens >= prices[at + 3]! && contextTokens <= prices[at + 4]!) return at
    return this.ask(sequences, contextTokens)
  }

  base(at: number): number {
    return this.prices[at]!
  }

  slope(at: number): number {
    return this.prices[at + 1]!
  }

  windowSlope(at: number): number {
    return this.prices[at + 2]!
  }

  /** Largest context sum for which the price holds; Infinity where it holds for all. */
  validUntil(at: number): number {
    return this.prices[at + 4]!
  }

  private ask(sequences: number, contextTokens: number): number {
    const at = sequences * COLUMNS
    if (at >= this.prices.length) this.grow(at + COLUMNS)
    const { baseSeconds, slopeSeconds, windowSlopeSeconds, validUntilContextTokens } = this.cost.decodePiece(
      sequences,
      contextTokens,
      this.piece,
    )
    const prices = this.prices
    prices[at] = Math.round(baseSeconds * TICKS_PER_SECOND)
    prices[at + 1] = Math.round(slopeSeconds * TICKS_PER_SECOND)
    prices[at + 2] = Math.round(windowSlopeSeconds * TICKS_PER_SECOND)
    prices[at + 3] = contextTokens
    prices[at + 4] = validUntilContextTokens
    return at
  }

  private grow(length: number): void {
    let size = Math.max(COLUMNS * 64, this.prices.length)
    while (size < length) size *= 2
    const grown = new Float64Array(size)
    grown.set(this.prices)
    // Holds for nothing: from beyond every context sum.
    for (let at = this.prices.length; at < size; at += COLUMNS) grown[at + 3] = Number.POSITIVE_INFINITY
    this.prices = grown
  }
}

const known = new WeakMap<StepCost, DecodePrices>()

/** The prices of a cost model, shared by all replicas that it prices. */
export const pricesOf = (cost: StepCost): DecodePrices => {
  let prices = known.get(cost)
  if (prices === undefined) {
    prices = new DecodePrices(cost)
    known.set(cost, prices)
  }
  return prices
}
