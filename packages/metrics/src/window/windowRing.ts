import { WindowSlot } from './windowSlot.ts'

/**
 * The recent past as a ring of slots of virtual time. A slot is used again when time has moved a whole ring on; what
 * belongs to a time before the ring is left out.
 */
export class WindowRing {
  readonly slotSeconds: number
  private readonly slots: WindowSlot[] = []
  /** Which slot of time a place holds now. */
  private readonly numbers: number[] = []
  private readonly merged = new WindowSlot()
  private readonly late = new WindowSlot()
  private latest = 0

  constructor(slots: number, slotSeconds: number) {
    this.slotSeconds = slotSeconds
    for (let place = 0; place < slots; place++) {
      this.slots.push(new WindowSlot())
      this.numbers.push(place)
    }
  }

  /** The longest window in seconds that `over` can give. */
  get longestSeconds(): number {
    return (this.slots.length - 1) * this.slotSeconds
  }

  /** The slot that holds `time`; for a time that has left the ring, one that nobody reads. */
  at(time: number): WindowSlot {
    const number = Math.floor(time / this.slotSeconds)
    const place = number % this.slots.length
    const slot = this.slots[place]!
    const held = this.numbers[place]!
    if (held === number) return slot
    if (held > number) {
      this.late.clear()
      return this.late
    }
    slot.clear()
    this.numbers[place] = number
    if (number > this.latest) this.latest = number
    return slot
  }

  /**
   * The slots of the last `seconds` before `now`, the present one included, merged into one reused slot; and the seconds
   * that they really cover.
   */
  over(seconds: number, now: number): { merged: WindowSlot; seconds: number } {
    const present = Math.floor(now / this.slotSeconds)
    const wanted = Math.min(this.slots.length - 1, Math.max(1, Math.round(seconds / this.slotSeconds)))
    const first = Math.max(0, present - wanted)
    this.merged.clear()
    for (let place = 0; place < this.slots.length; place++) {
      const number = this.numbers[place]!
      if (number >= first && number <= present) this.merged.add(this.slots[place]!)
    }
    return { merged: this.merged, seconds: now - first * this.slotSeconds }
  }
}
