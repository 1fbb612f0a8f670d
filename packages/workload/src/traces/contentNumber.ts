/** A 53-bit number of some content, built up piece by piece; equal contents give equal numbers. */
export class ContentNumber {
  private a = 0
  private b = 0

  start(seed: number): this {
    this.a = seed ^ 0x9e3779b9
    this.b = seed ^ 0x243f6a88
    return this
  }

  /** Adds an integer. */
  add(value: number): this {
    const low = value | 0
    const high = Math.floor(value / 4294967296) | 0
    this.a = mix(Math.imul(this.a, 31) + low + Math.imul(high, 7919))
    this.b = mix((this.b ^ low) + Math.imul(high, 104729) + 0x6d2b79f5)
    return this
  }

  addText(text: string): this {
    for (let i = 0; i < text.length; i++) this.add(text.charCodeAt(i))
    return this.add(text.length)
  }

  get value(): number {
    return (this.a >>> 0) * 2097152 + (this.b >>> 11)
  }
}

function mix(word: number): number {
  let x = word
  x = Math.imul(x ^ (x >>> 16), 0x21f0aaad)
  x = Math.imul(x ^ (x >>> 15), 0x735a2d97)
  return x ^ (x >>> 15)
}
