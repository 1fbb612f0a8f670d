import { EventQueue, type Time, zeroTime } from '@windtunnel/des'

/**
 * Requests on their way from the front ends to their engines, in the order of time; at one instant in the order in which
 * they were sent. Nearly all arrive in the order in which they are sent: those wait in a ring. A heap is for the others,
 * each of which arrives before the last of the ring: so the heap is empty when the ring is, and of two that arrive at one
 * instant the one in the ring was sent first.
 */
export class Deliveries {
  private head = 0
  private count = 0
  /** Seconds and ticks by place in the ring; a power of two of places. */
  private times = new Float64Array(32)
  private slots = new Int32Array(16)
  /** Time of the last in the ring. */
  private readonly last: Time = zeroTime()
  private readonly overtaking = new EventQueue()
  private readonly probe: Time = zeroTime()

  /** Sends the request in `slot`, to arrive at `time`. */
  push(time: Time, slot: number): void {
    const { last } = this
    const { seconds, ticks } = time
    if (this.count > 0 && (seconds - last.seconds || ticks - last.ticks) < 0) {
      this.overtaking.push(seconds, ticks, 0, 0, slot)
      return
    }
    if (this.count === this.slots.length) this.grow()
    const { times, slots } = this
    const place = (this.head + this.count) & (slots.length - 1)
    this.count += 1
    times[place << 1] = last.seconds = seconds
    times[(place << 1) | 1] = last.ticks = ticks
    slots[place] = slot
  }

  /** Writes the time of the first arrival into `into`; false when none is on its way. */
  peek(into: Time): boolean {
    if (this.count === 0) return false
    if (this.isOvertaken()) return this.overtaking.peek(into)
    into.seconds = this.times[this.head << 1]!
    into.ticks = this.times[(this.head << 1) | 1]!
    return true
  }

  /** Takes the first request out, and returns its slot. There must be one. */
  take(): number {
    if (this.isOvertaken()) {
      const slot = this.overtaking.subject
      this.overtaking.pop()
      return slot
    }
    const slot = this.slots[this.head]!
    this.head = (this.head + 1) & (this.slots.length - 1)
    this.count -= 1
    return slot
  }

  /** Whether the first to arrive is one that overtook the ring. */
  private isOvertaken(): boolean {
    if (this.overtaking.size === 0) return false
    const { probe, times, head } = this
    this.overtaking.peek(probe)
    return (probe.seconds - times[head << 1]! || probe.ticks - times[(head << 1) | 1]!) < 0
  }

  /** Twice the places, the first request at the first of them. */
  private grow(): void {
    const { head, count, times, slots } = this
    this.times = new Float64Array(4 * count)
    this.times.set(times.subarray(2 * head))
    this.times.set(times.subarray(0, 2 * head), 2 * (count - head))
    this.slots = new Int32Array(2 * count)
    this.slots.set(slots.subarray(head))
    this.slots.set(slots.subarray(0, head), count - head)
    this.head = 0
  }
}
