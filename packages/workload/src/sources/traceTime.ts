import { addSeconds, addTicks, copyTime, TICKS_PER_SECOND, type Time, ticksBetween, zeroTime } from '@windtunnel/des'

/**
 * Maps the times of a trace to virtual times: the first row to `start`, later ones so that their distances are divided by
 * `speed`. At speed 1 the map is exact.
 */
export class TraceTime {
  private readonly traceAnchor = zeroTime()
  private readonly virtualAnchor = zeroTime()
  private readonly difference = zeroTime()
  private anchored = false
  speed: number

  constructor(start: Time, speed: number) {
    copyTime(this.virtualAnchor, start)
    this.speed = speed
  }

  /** Says which time of the trace is the start. Only the first call counts. */
  begin(traceTime: Time): void {
    if (this.anchored) return
    copyTime(this.traceAnchor, traceTime)
    this.anchored = true
  }

  toVirtual(traceTime: Time, into: Time): Time {
    const { difference, traceAnchor, virtualAnchor, speed } = this
    difference.seconds = traceTime.seconds - traceAnchor.seconds
    difference.ticks = traceTime.ticks - traceAnchor.ticks
    if (difference.ticks < 0) {
      difference.seconds -= 1
      difference.ticks += TICKS_PER_SECOND
    }
    copyTime(into, virtualAnchor)
    if (difference.seconds < 0) return into
    if (speed !== 1) return addSeconds(into, (difference.seconds + difference.ticks / TICKS_PER_SECOND) / speed)
    into.seconds += difference.seconds
    return addTicks(into, difference.ticks)
  }

  /** Another speed from virtual time `now` on. */
  change(speed: number, now: Time): void {
    if (this.anchored && this.speed > 0) {
      const passed = Math.max(0, ticksBetween(now, this.virtualAnchor) / TICKS_PER_SECOND)
      addSeconds(this.traceAnchor, passed * this.speed)
    }
    copyTime(this.virtualAnchor, now)
    this.speed = speed
  }
}
