import { EventQueue, type Time, zeroTime } from '@windtunnel/des'

/** So many may a request overtake in the ring. */
const REACH = 16

/**
 * Requests on their way from the front ends to their engines, in the order of time; at one instant in the order in which
 * they were sent. Nearly all wait in a ring: those that overtake a few others, which a busy front end holds up, take their
 * place before them. A heap is for the rest, each of which arrives before the last REACH of the ring and more: so the heap is
 * empty when the ring is, and of two that arrive at one instant the one in the ring was sent first (whoever sends another to
 * the heap is still in the ring, and would send one there that comes later).
 */
export class Deliveries {
  private head = 0
  private count = 0
  /** Seconds and ticks by place in the ring; a power of two of places. */
  private times = new Float64Array(32)
  private slots = new Int32Array(16)
  private readonly overtaking = new EventQueue()
  private readonly probe: Time = zeroTime()

  /** Sends the request in `slot`, to arrive at `time`. */
  push(time: Time, slot: number): void {
    const { seconds, ticks } = time
    if (this.count === this.slots.length) this.grow()
    const end = this.head + this.count
    if (this.count > 0 && this.isLater(end - 1, seconds, ticks)) this.overtake(seconds, ticks, slot)
    else this.put(end, seconds, ticks, slot)
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

  /** Sends a request that arrives before the last of the ring, in which there is room. */
  private overtake(seconds: number, ticks: number, slot: number): void {
    const { head, times, slots } = this
    let at = head + this.count
    if (this.count >= REACH && this.isLater(at - REACH, seconds, ticks)) {
      this.overtaking.push(seconds, ticks, 0, 0, slot)
      return
    }
    const mask = slots.length - 1
    for (; at > head && this.isLater(at - 1, seconds, ticks); at--) {
      const from = (at - 1) & mask
      const to = at & mask
      times[to << 1] = times[from << 1]!
      times[(to << 1) | 1] = times[(from << 1) | 1]!
      slots[to] = slots[from]!
    }
    this.put(at, seconds, ticks, slot)
  }

  /** Writes a request more into the ring, at the place `at` that is free for it. Places are counted on beyond the end. */
  private put(at: number, seconds: number, ticks: number, slot: number): void {
    const { times, slots } = this
    const place = at & (slots.length - 1)
    times[place << 1] = seconds
    times[(place << 1) | 1] = ticks
    slots[place] = slot
    this.count += 1
  }

  /** Whether the request at place `at` of the ring arrives after `seconds` and `ticks`. */
  private isLater(at: number, seconds: number, ticks: number): boolean {
    const place = at & (this.slots.length - 1)
    return (this.times[place << 1]! - seconds || this.times[(place << 1) | 1]! - ticks) > 0
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
