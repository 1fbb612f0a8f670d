import { addSeconds, copyTime, EventQueue, type Time } from '@windtunnel/des'
import type { LinkOptions, Links, LinkView } from './links.ts'

interface Transfer {
  slot: number
  source: number
  bytes: number
}

/**
 * One outgoing link per prefill replica; a link carries one transfer at a time, in the order in which they were asked for,
 * and one under way cannot be stopped.
 */
export class SerialLinks implements Links {
  private options: LinkOptions
  private ends = new EventQueue()
  private queues: Transfer[][] = []
  private busy: (Transfer | undefined)[] = []
  private done: number[] = []
  private sources: number[] = []
  private readonly at: Time = { seconds: 0, ticks: 0 }
  onStart: Links['onStart'] = () => {}

  constructor(options: LinkOptions) {
    this.options = options
  }

  request(slot: number, source: number, _target: number, bytes: number, offered: number, now: Time): void {
    if (offered < bytes) throw new Error('a link that carries one transfer at a time takes whole caches only')
    if (this.queues[source] === undefined) {
      this.queues[source] = []
      this.done[source] = 0
      this.sources.push(source)
    }
    this.queues[source]!.push({ slot, source, bytes })
    if (this.busy[source] === undefined) this.startNext(source, now)
  }

  offer(): void {}

  nextEvent(into: Time): boolean {
    return this.ends.peek(into)
  }

  handle(now: Time): number {
    const source = this.ends.subject
    this.ends.pop()
    const { slot, bytes } = this.busy[source]!
    this.busy[source] = undefined
    this.done[source]! += bytes
    this.startNext(source, now)
    return slot
  }

  cancel(slot: number): boolean {
    for (const source of this.sources) {
      if (this.busy[source]?.slot === slot) return false
      const queue = this.queues[source]!
      const at = queue.findIndex((entry) => entry.slot === slot)
      if (at >= 0) queue.splice(at, 1)
    }
    return true
  }

  view(): LinkView[] {
    const { bytesPerSecond } = this.options
    return this.sources.map((source) => {
      const active = this.busy[source] === undefined ? 0 : 1
      return {
        kind: 'egress',
        replica: source,
        bytesPerSecond,
        bytesPerSecondNow: active * bytesPerSecond,
        active,
        queued: this.queues[source]!.length,
        bytesDone: this.done[source]!,
      }
    })
  }

  private startNext(source: number, now: Time): void {
    const next = this.queues[source]!.shift()
    if (next === undefined) return
    this.busy[source] = next
    copyTime(this.at, now)
    addSeconds(this.at, this.options.latencySeconds + next.bytes / this.options.bytesPerSecond)
    this.ends.push(this.at.seconds, this.at.ticks, 0, 0, source)
    this.onStart(next.slot, source, next.bytes, now)
  }
}
