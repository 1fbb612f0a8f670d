import { type Message, Parcel } from './parcel.ts'

/** The part of a WebSocket that a viewer needs. */
export interface Wire {
  /** Bytes that were sent and are still here. */
  readonly bufferedAmount: number
  send(parcel: Parcel): void
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
  #events: Message[] = []
  #ended: Message | undefined
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

  /** What a run tells all its viewers. */
  deliver(parcel: Parcel): void {
    if (!this.#mustWait()) this.#wire.send(parcel)
    else for (const message of parcel.messages) this.#keep(message)
  }

  /** An answer to a command: sent in its order, whatever the state. */
  reply(text: string): void {
    this.greet(new Parcel([{ kind: 'reply', text }]))
  }

  /** A hello: sent in its order, whatever the state. */
  greet(hello: Parcel): void {
    if (this.#wire.bufferedAmount > HOPELESS_BYTES) this.#wire.terminate()
    else this.#wire.send(hello)
  }

  /** All that was sent has gone out: what had to wait goes now. */
  drained(): void {
    if (this.slow || !this.#mustWait()) return
    const frame = this.#frame
    const messages = [...this.#events]
    if (frame !== undefined) messages.push({ kind: 'frame', text: withMerged(frame, this.#left) })
    if (this.#ended !== undefined) messages.push(this.#ended)
    this.forget()
    this.#wire.send(new Parcel(messages))
  }

  /** What waits belongs to a run that begins again, or to another run: forget it. */
  forget(): void {
    this.#left = 0
    this.#frame = undefined
    this.#events = []
    this.#ended = undefined
  }

  #keep(message: Message): void {
    if (message.kind === 'frame') {
      if (this.#frame !== undefined) {
        this.merged += 1
        this.#left += 1
      }
      this.#frame = message.text
    } else if (message.kind === 'event') {
      if (this.#events.length === EVENTS_KEPT) this.#events.shift()
      this.#events.push(message)
    } else if (message.kind === 'ended') this.#ended = message
  }

  /** Anything that waits must go first, so that order is kept. */
  #mustWait(): boolean {
    return this.slow || this.#frame !== undefined || this.#events.length > 0 || this.#ended !== undefined
  }
}

const withMerged = (frame: string, left: number): string =>
  left === 0 ? frame : `${frame.slice(0, -1)},"merged":${left}}`
