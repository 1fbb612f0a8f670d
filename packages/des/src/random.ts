import { log, pow } from './math.ts'

/**
 * A seeded stream of random numbers with a name. One stream per use (arrivals, lengths, router, faults ...), so that a
 * change in one use never moves the numbers of another. The same seed and name give the same bits on every platform.
 *
 * The generator is xoshiro128** on 32-bit integers, seeded from a 128-bit mix of seed and name. No draw allocates.
 */
export class RandomStream {
  private readonly state = new Int32Array(4)
  /** The second number of a polar pair, and whether it is there. */
  private spare = 0
  private hasSpare = false

  /** `seed` is any finite number (53 bits count), `name` says what the numbers are for. */
  constructor(seed: number, name: string) {
    this.reseed(seed, name)
  }

  /** Starts again as a stream of this seed and name. */
  reseed(seed: number, name: string): void {
    if (!Number.isFinite(seed)) throw new RangeError(`RandomStream: the seed must be a finite number, found ${seed}`)
    seedState(this.state, seed, name)
    this.hasSpare = false
  }

  /** 32 random bits as an integer of 0 .. 2^32 - 1. */
  bits(): number {
    const s = this.state
    const s1 = s[1]!
    const times5 = Math.imul(s1, 5)
    const result = Math.imul((times5 << 7) | (times5 >>> 25), 9)
    const s2 = s[2]! ^ s[0]!
    const s3 = s[3]! ^ s1
    s[1] = s1 ^ s2
    s[0] = s[0]! ^ s3
    s[2] = s2 ^ (s1 << 9)
    s[3] = (s3 << 11) | (s3 >>> 21)
    return result >>> 0
  }

  /** Uniform on [0, 1), a multiple of 2^-53. */
  uniform(): number {
    const high = this.bits() >>> 5
    return (high * 67108864 + (this.bits() >>> 6)) * 1.1102230246251565e-16
  }

  /** Uniform on [low, high). */
  between(low: number, high: number): number {
    return low + (high - low) * this.uniform()
  }

  /** A whole number of 0 .. n - 1, each equally likely to within n / 2^53. `n` is a whole number >= 1. */
  integer(n: number): number {
    return Math.floor(this.uniform() * n)
  }

  /** Exponential with the given mean. */
  exponential(mean: number): number {
    return -mean * log(1 - this.uniform())
  }

  /** Standard normal (mean 0, variance 1), by the polar method. */
  normal(): number {
    if (this.hasSpare) {
      this.hasSpare = false
      return this.spare
    }
    let x = 0
    let y = 0
    let square = 0
    do {
      x = 2 * this.uniform() - 1
      y = 2 * this.uniform() - 1
      square = x * x + y * y
    } while (square >= 1 || square === 0)
    const factor = Math.sqrt((-2 * log(square)) / square)
    this.spare = y * factor
    this.hasSpare = true
    return x * factor
  }

  /** Gamma with `shape` > 0 and `scale` > 0 (mean shape * scale), by Marsaglia and Tsang's method. */
  gamma(shape: number, scale: number): number {
    if (shape < 1) return this.gamma(shape + 1, scale) * pow(1 - this.uniform(), 1 / shape)
    const d = shape - 1 / 3
    const c = 1 / Math.sqrt(9 * d)
    for (;;) {
      const x = this.normal()
      const root = 1 + c * x
      if (root <= 0) continue
      const v = root * root * root
      const u = 1 - this.uniform()
      const square = x * x
      if (u < 1 - 0.0331 * square * square || log(u) < 0.5 * square + d * (1 - v + log(v))) return d * v * scale
    }
  }

  /** An index of `weights` (each >= 0, the sum > 0), chosen in proportion to its weight. */
  choice(weights: ArrayLike<number>): number {
    let total = 0
    for (let i = 0; i < weights.length; i++) total += weights[i]!
    let left = this.uniform() * total
    let last = 0
    for (let i = 0; i < weights.length; i++) {
      const weight = weights[i]!
      if (weight <= 0) continue
      if (left < weight) return i
      left -= weight
      last = i
    }
    return last
  }
}

/** Mixes a 32-bit word: a bijection whose every output bit depends on every input bit. */
function mix(word: number): number {
  let x = word
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return x ^ (x >>> 15)
}

/** Fills `state` from the 64 bits of `seed` and the code units of `name`. */
function seedState(state: Int32Array, seed: number, name: string): void {
  const words = new Float64Array([seed])
  const low = new DataView(words.buffer)
  // Written and read big-endian, so that the machine's byte order does not matter.
  low.setFloat64(0, seed)
  const a = low.getInt32(0)
  const b = low.getInt32(4)
  let nonZero = 0
  for (let lane = 0; lane < 4; lane++) {
    let h = mix(a + Math.imul(lane + 1, 0x9e3779b9))
    h = mix(h ^ b)
    h = mix(h + name.length)
    for (let i = 0; i < name.length; i++) h = mix(Math.imul(h, 5) + name.charCodeAt(i) + lane)
    state[lane] = h
    nonZero |= h
  }
  if (nonZero === 0) state[0] = 1
}
