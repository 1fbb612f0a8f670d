const EMPTY = -1

/** The slot of a request that is not live. */
export const NO_SLOT = -1

/**
 * Gives every live request a small slot number, so that columns of state are as long as the requests that are live at
 * once, not as all that ever came. Requests are numbered in the order in which they arrive, so a ring over the numbers
 * finds a slot at once, next to those of its neighbours; the few that are still live when the ring comes round to their
 * place are kept apart. Nothing is allocated per request.
 */
export class LiveSlots {
  /** By the low bits of the request's number: the number (EMPTY where free) and the slot. */
  private requests = new Float64Array(64).fill(EMPTY)
  private slots = new Int32Array(64)
  private mask = 63
  /** Live requests whose place in the ring a later one has taken. */
  private readonly apart = new Map<number, number>()
  private free = new Int32Array(32)
  private freeCount = 0
  private used = 0
  private openCount = 0

  /** Requests live now. */
  get live(): number {
    return this.openCount
  }

  /** Slots ever needed at once: columns must be at least so long. */
  get capacity(): number {
    return this.used
  }

  open(request: number): number {
    if (this.openCount >= this.mask) this.grow()
    const slot = this.freeCount > 0 ? this.free[--this.freeCount]! : this.used++
    this.place(request, slot)
    this.openCount += 1
    return slot
  }

  /** The slot of a live request; NO_SLOT when it is not live. */
  find(request: number): number {
    const at = request & this.mask
    return this.requests[at] === request ? this.slots[at]! : (this.apart.get(request) ?? NO_SLOT)
  }

  /** Gives back the slot of a live request: which one it was; NO_SLOT when it is not live. */
  close(request: number): number {
    const at = request & this.mask
    const placed = this.requests[at] === request
    const slot = placed ? this.slots[at]! : (this.apart.get(request) ?? NO_SLOT)
    if (slot === NO_SLOT) return NO_SLOT
    if (placed) this.requests[at] = EMPTY
    else this.apart.delete(request)
    this.release(slot)
    this.openCount -= 1
    return slot
  }

  /** Calls `visit` for every live request, in no particular order. */
  forEach(visit: (request: number, slot: number) => void): void {
    for (let at = 0; at <= this.mask; at++) {
      const request = this.requests[at]!
      if (request !== EMPTY) visit(request, this.slots[at]!)
    }
    for (const [request, slot] of this.apart) visit(request, slot)
  }

  private place(request: number, slot: number): void {
    const at = request & this.mask
    const before = this.requests[at]!
    if (before !== EMPTY) this.apart.set(before, this.slots[at]!)
    this.requests[at] = request
    this.slots[at] = slot
  }

  private release(slot: number): void {
    if (this.freeCount === this.free.length) {
      const wider = new Int32Array(this.free.length * 2)
      wider.set(this.free)
      this.free = wider
    }
    this.free[this.freeCount++] = slot
  }

  private grow(): void {
    const requests = this.requests
    const slots = this.slots
    const apart = [...this.apart]
    const size = requests.length * 2
    this.requests = new Float64Array(size).fill(EMPTY)
    this.slots = new Int32Array(size)
    this.mask = size - 1
    this.apart.clear()
    for (const [request, slot] of apart) this.place(request, slot)
    for (let at = 0; at < requests.length; at++) {
      if (requests[at] !== EMPTY) this.place(requests[at]!, slots[at]!)
    }
  }
}
