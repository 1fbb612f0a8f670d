/**
 * The sum over decoding sequences of the KV entries that a sliding-window layer attends to: min(context, window). Each
 * sequence adds a token a step until its window is full; how many fill theirs at which step is kept in a ring of counts, so
 * a step costs O(1) and the sum grows evenly between two such steps.
 */
export class WindowSum {
  /** The sum in the step at which the group stands, in tokens. */
  tokens = 0
  /** Sequences whose share is larger in the next step. */
  growing = 0
  private windowTokens: number
  /** Sequences whose window is full for the first time in steps congruent to the index; all lie less than a window ahead. */
  private filling: Int32Array
  private bits: Uint32Array

  constructor(windowTokens: number) {
    this.windowTokens = windowTokens
    let size = 32
    while (size < windowTokens + 1) size *= 2
    this.filling = new Int32Array(size)
    this.bits = new Uint32Array(size >>> 5)
  }

  /** A sequence that attends to `context` entries in step `step` joins. */
  join(context: number, step: number): void {
    this.tokens += Math.min(context, this.windowTokens)
    if (context >= this.windowTokens) return
    const at = (step + this.windowTokens - context) & (this.filling.length - 1)
    this.growing += 1
    this.filling[at]! += 1
    this.bits[at >>> 5]! |= 1 << (at & 31)
  }

  /** A sequence that would attend to `context` entries in step `step`, at which the sum stands, leaves. */
  leave(context: number, step: number): void {
    this.tokens -= Math.min(context, this.windowTokens)
    if (context >= this.windowTokens) return
    const at = (step + this.windowTokens - context) & (this.filling.length - 1)
    this.growing -= 1
    this.filling[at]! -= 1
    if (this.filling[at] === 0) this.bits[at >>> 5]! &= ~(1 << (at & 31))
  }

  /** Moves the sum from step `from` to `from + steps`. */
  advance(from: number, steps: number): void {
    const to = from + steps
    let at = from
    while (this.growing > 0) {
      const full = at + this.distance(at)
      if (full > to) break
      this.tokens += this.growing * (full - at)
      const index = full & (this.filling.length - 1)
      this.growing -= this.filling[index]!
      this.filling[index] = 0
      this.bits[index >>> 5]! &= ~(1 << (index & 31))
      at = full
    }
    this.tokens += this.growing * (to - at)
  }

  /** How many steps from `step`, at which the sum stands, have sums that differ by `growing` each; Infinity for all. */
  evenSteps(step: number): number {
    return this.growing === 0 ? Number.POSITIVE_INFINITY : this.distance(step) + 1
  }

  /** Steps from `step` to the next one in which a window is full for the first time; there is one. */
  private distance(step: number): number {
    const mask = this.filling.length - 1
    const start = (step + 1) & mask
    let word = start >>> 5
    let bits = this.bits[word]! & (-1 << (start & 31))
    while (bits === 0) {
      word = word + 1 === this.bits.length ? 0 : word + 1
      bits = this.bits[word]!
    }
    const index = (word << 5) + (31 - Math.clz32(bits & -bits))
    return ((index - start) & mask) + 1
  }
}
