const EMPTY = -1

/**
 * Gives every live request a small slot number, so that columns of state are as long as the requests that are live at
 * once, not as all that ever came. An open-addressing table on typed arrays: nothing is allocated per request.
 */
export class LiveSlots {
  /** Table of request numbers (EMPTY where free) and of their slots. */
  #requests = new Float64Array(64).fill(EMPTY)
  #slots = new Int32Array(64)
  #mask = 63
  #free = new Int32Array(32)
  #freeCount = 0
  #used = 0
  #live = 0

  /** Requests live now. */
  get live(): number {
    return this.#live
  }

  /** Slots ever needed at once: columns must be at least so long. */
  get capacity(): number {
    return this.#used
  }

  open(request: number): number {
    if (this.#live * 2 >= this.#mask) this.#grow()
    const slot = this.#freeCount > 0 ? this.#free[--this.#freeCount]! : this.#used++
    this.#insert(request, slot)
    this.#live += 1
    return slot
  }

  /** The slot of a live request; undefined when it is not live. */
  find(request: number): number | undefined {
    let at = this.#home(request)
    for (;;) {
      const found = this.#requests[at]!
      if (found === request) return this.#slots[at]!
      if (found === EMPTY) return undefined
      at = (at + 1) & this.#mask
    }
  }

  close(request: number): void {
    let at = this.#home(request)
    while (this.#requests[at] !== request) {
      if (this.#requests[at] === EMPTY) return
      at = (at + 1) & this.#mask
    }
    this.#release(this.#slots[at]!)
    this.#live -= 1
    this.#closeGap(at)
  }

  /** Calls `visit` for every live request, in no particular order. */
  forEach(visit: (request: number, slot: number) => void): void {
    for (let at = 0; at <= this.#mask; at++) {
      const request = this.#requests[at]!
      if (request !== EMPTY) visit(request, this.#slots[at]!)
    }
  }

  #home(request: number): number {
    return Math.imul(request, 0x9e3779b1) & this.#mask
  }

  #insert(request: number, slot: number): void {
    let at = this.#home(request)
    while (this.#requests[at] !== EMPTY) at = (at + 1) & this.#mask
    this.#requests[at] = request
    this.#slots[at] = slot
  }

  #release(slot: number): void {
    if (this.#freeCount === this.#free.length) {
      const wider = new Int32Array(this.#free.length * 2)
      wider.set(this.#free)
      this.#free = wider
    }
    this.#free[this.#freeCount++] = slot
  }

  /** Moves later entries of the same probe chain back, so that no search stops early. */
  #closeGap(gap: number): void {
    let hole = gap
    let at = gap
    for (;;) {
      at = (at + 1) & this.#mask
      const request = this.#requests[at]!
      if (request === EMPTY) break
      const distance = (at - this.#home(request)) & this.#mask
      if (distance >= ((at - hole) & this.#mask)) {
        this.#requests[hole] = request
        this.#slots[hole] = this.#slots[at]!
        hole = at
      }
    }
    this.#requests[hole] = EMPTY
  }

  #grow(): void {
    const requests = this.#requests
    const slots = this.#slots
    const size = requests.length * 2
    this.#requests = new Float64Array(size).fill(EMPTY)
    this.#slots = new Int32Array(size)
    this.#mask = size - 1
    for (let at = 0; at < requests.length; at++) {
      if (requests[at] !== EMPTY) this.#insert(requests[at]!, slots[at]!)
    }
  }
}
