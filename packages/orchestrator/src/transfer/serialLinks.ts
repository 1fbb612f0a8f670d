import { addSeconds, EventQueue, type Time } from '@windtunnel/des'

export interface LinkOptions {
  /** Bytes per second of one prefill replica's link. */
  bytesPerSecond: number
  /** Seconds from the start of a transfer to its first byte. */
  latencySeconds: number
}

/** State of one link for viewers. */
export interface LinkView {
  source: number
  /** Transfers under way (0 or 1) and waiting for the link. */
  active: number
  queued: number
  bytesDone: number
}

/**
 * One outgoing link per prefill replica; a link carries one transfer at a time, in the order in which they were asked for.
 */
export class SerialLinks {
  #options: LinkOptions
  #ends = new EventQueue()
  #queues: { slot: number; bytes: number }[][] = []
  #busy: ({ slot: number; bytes: number } | undefined)[] = []
  #done: number[] = []
  #sources: number[] = []
  readonly #at: Time = { seconds: 0, ticks: 0 }
  /** Called when a transfer begins. */
  onStart: (slot: number, source: number, bytes: number, time: Time) => void = () => {}

  constructor(options: LinkOptions) {
    this.#options = options
  }

  /** Asks for a transfer of `bytes` from replica `source`. */
  request(slot: number, source: number, bytes: number, now: Time): void {
    if (this.#queues[source] === undefined) {
      this.#queues[source] = []
      this.#done[source] = 0
      this.#sources.push(source)
    }
    this.#queues[source]!.push({ slot, bytes })
    if (this.#busy[source] === undefined) this.#startNext(source, now)
  }

  /** Writes the time at which the next transfer ends into `into`; false when none is under way. */
  nextEvent(into: Time): boolean {
    return this.#ends.peek(into)
  }

  /** Ends the transfer that is due; returns its request. */
  finishNext(now: Time): number {
    const source = this.#ends.subject
    this.#ends.pop()
    const { slot, bytes } = this.#busy[source]!
    this.#busy[source] = undefined
    this.#done[source]! += bytes
    this.#startNext(source, now)
    return slot
  }

  /** Forgets transfers that wait (a client left); one under way goes on to its end. False when it is under way. */
  cancelWaiting(slot: number, source: number): boolean {
    const queue = this.#queues[source] ?? []
    const at = queue.findIndex((entry) => entry.slot === slot)
    if (at >= 0) queue.splice(at, 1)
    return this.#busy[source]?.slot !== slot
  }

  view(): LinkView[] {
    return this.#sources.map((source) => ({
      source,
      active: this.#busy[source] === undefined ? 0 : 1,
      queued: this.#queues[source]!.length,
      bytesDone: this.#done[source]!,
    }))
  }

  #startNext(source: number, now: Time): void {
    const next = this.#queues[source]!.shift()
    if (next === undefined) return
    this.#busy[source] = next
    this.#at.seconds = now.seconds
    this.#at.ticks = now.ticks
    addSeconds(this.#at, this.#options.latencySeconds + next.bytes / this.#options.bytesPerSecond)
    this.#ends.push(this.#at.seconds, this.#at.ticks, 0, 0, source)
    this.onStart(next.slot, source, next.bytes, now)
  }
}
