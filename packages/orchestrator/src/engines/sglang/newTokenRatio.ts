/** Share of their token limits that running requests are expected to use, at the start (times the conservativeness). */
const INITIAL = 0.7
/** The floor, as a share of the initial value, and the decode steps in which it is reached. */
const FLOOR_SHARE = 0.14
const DECAY_STEPS = 600

/**
 * SGLang's forecast of how much of their token limits running requests will use. It falls by the same amount every decode
 * step, down to a floor, and rises when requests had to be retracted. Kept as a base and a count of steps, so that many
 * steps cost as much as one and give the same bits.
 */
export class NewTokenRatio {
  private readonly initial: number
  private readonly floor: number
  private readonly decay: number
  private base: number
  private steps = 0

  constructor(conservativeness: number) {
    this.initial = Math.min(1, INITIAL * conservativeness)
    this.floor = Math.min(1, this.initial * FLOOR_SHARE)
    this.decay = (this.initial - this.floor) / DECAY_STEPS
    this.base = this.initial
  }

  get value(): number {
    return Math.max(this.floor, this.base - this.decay * this.steps)
  }

  decoded(steps: number): void {
    this.steps += steps
  }

  /** Nothing is left to run. */
  reset(): void {
    this.base = this.initial
    this.steps = 0
  }

  /**
   * Requests were retracted: those that stay have produced `produced` of at most `limits` tokens, and there is room for
   * `roomTokens` more. The decode step that follows at once does not lower the ratio.
   */
  retracted(produced: number, roomTokens: number, limits: number): void {
    this.base = Math.min(1, (produced + roomTokens) / (limits + 1))
    this.steps = -1
  }
}
