/** The part of a WebSocket that a viewer needs. */
export interface Wire {
  readonly bufferedAmount: number
  send(text: string, sent: (fault?: Error | null) => void): void
  /** Ends the connection at once. */
  terminate(): void
}

/** Above so many bytes on their way the viewer counts as slow: frames are merged. */
const SLOW_BYTES = 256 * 1024
/** Above so many bytes it does not read at all and floods us with commands: the connection is ended. */
const HOPELESS_BYTES = 16 * 1024 * 1024
const EVENTS_KEPT = 200

/**
 * One connection. What a slow reader cannot take is merged, never piled up: of frames only the latest is kept, request
 * samples are left out, events are kept up to 200. The end of a run is never dropped.
 */
export class Viewer {
  readonly #wire: Wire
  #frame: string | undefined
  #events: string[] = []
  #ended: string | undefined
  /** Frames merged away since the last one that was sent. */
  #left = 0
  /** Frames merged away so far. */
  merged = 0

  constructor(wire: Wire) {
    this.#wire = wire
  }

  get slow(): boolean {
    return this.#wire.bufferedAmount > SLOW_BYTES
  }

  frame(text: string): void {
    if (!this.#mustWait()) this.#put(text)
    else {
      if (this.#frame !== undefined) {
        this.merged += 1
        this.#left += 1
      }
      this.#frame = text
    }
  }

  event(text: string): void {
    if (!this.#mustWait()) this.#put(text)
    else {
      if (this.#events.length === EVENTS_KEPT) this.#events.shift()
      this.#events.push(text)
    }
  }

  sample(text: string): void {
    if (!this.#mustWait()) this.#put(text)
  }

  ended(text: string): void {
    if (!this.#mustWait()) this.#put(text)
    else this.#ended = text
  }

  /** Answers to commands, and hello: sent in their order, whatever the state. */
  reply(text: string): void {
    this.#put(text)
  }

  /** What waits belongs to a run that begins again, or to another run: forget it. */
  forget(): void {
    this.#left = 0
    this.#frame = undefined
    this.#events = []
    this.#ended = undefined
  }

  /** Anything that waits must go first, so that order is kept. */
  #mustWait(): boolean {
    return this.slow || this.#frame !== undefined || this.#events.length > 0 || this.#ended !== undefined
  }

  #put(text: string): void {
    if (this.#wire.bufferedAmount > HOPELESS_BYTES) {
      this.#wire.terminate()
      return
    }
    this.#wire.send(text, () => this.#drain())
  }

  #drain(): void {
    if (this.slow) return
    const events = this.#events
    const frame = this.#frame
    const ended = this.#ended
    const left = this.#left
    this.forget()
    for (const text of events) this.#put(text)
    if (frame !== undefined) this.#put(left === 0 ? frame : `${frame.slice(0, -1)},"merged":${left}}`)
    if (ended !== undefined) this.#put(ended)
  }
}
