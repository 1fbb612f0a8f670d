const mantissas = [1, 1.2, 1.5, 2, 2.4, 3, 4, 5, 6, 8, 10]

/** The smallest round number at or above `value` that divides well into gridlines; 1 for nothing. */
export const roundedUp = (value: number): number => {
  if (!(value > 0)) return 1
  const power = 10 ** Math.floor(Math.log10(value))
  const mantissa = value / power
  return (mantissas.find((candidate) => candidate >= mantissa - 1e-9) ?? 10) * power
}

/** Four intervals at most: the gridlines of an axis that ends at a number of `roundedUp`. */
export const gridlines = (top: number): number[] => {
  const power = 10 ** Math.floor(Math.log10(top) + 1e-9)
  const mantissa = Math.round((top / power) * 10) / 10
  const intervals =
    mantissa === 1.5 || mantissa === 3 || mantissa === 6
      ? 3
      : mantissa === 5 || mantissa === 10 || mantissa === 1
        ? 2
        : 4
  return Array.from({ length: intervals + 1 }, (_, index) => (top * index) / intervals)
}

/**
 * The top of a live axis: grows at once, shrinks only after the values have stayed below 55 % of it for `patience` updates,
 * so that an axis does not jump to and fro.
 */
export class CalmTop {
  private top: number
  private low = 0
  private readonly patience: number
  constructor(first = 1, patience = 40) {
    this.top = first
    this.patience = patience
  }

  follow(highest: number): number {
    const wanted = roundedUp(highest * 1.05)
    if (wanted > this.top) {
      this.top = wanted
      this.low = 0
    } else if (wanted < this.top * 0.55) {
      this.low += 1
      if (this.low > this.patience) {
        this.top = wanted
        this.low = 0
      }
    } else this.low = 0
    return this.top
  }
}
