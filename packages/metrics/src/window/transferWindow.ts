import { SilentObserver } from '@windtunnel/orchestrator/observer'

interface Moved {
  time: number
  from: number
  to: number
  bytes: number
}

/** Bytes that arrived over each pair of replicas in the recent past; `bytes` in flight are remembered per request. */
export class TransferWindow extends SilentObserver {
  private readonly inFlight = new Map<number, number>()
  private moved: Moved[] = []
  private readonly keepSeconds: number

  constructor(keepSeconds: number) {
    super()
    this.keepSeconds = keepSeconds
  }

  /** Transfers under way. */
  get active(): number {
    return this.inFlight.size
  }

  override transferStarted(request: number, _time: number, _from: number, _to: number, bytes: number): void {
    this.inFlight.set(request, bytes)
  }

  override transferred(request: number, time: number, from: number, to: number): void {
    const bytes = this.inFlight.get(request)
    if (bytes === undefined) return
    this.inFlight.delete(request)
    this.moved.push({ time, from, to, bytes })
    if (this.moved.length > 4096) this.forget(time)
  }

  override ended(request: number): void {
    this.inFlight.delete(request)
  }

  /** Calls `visit` for every transfer that arrived in the last `seconds` before `now`. */
  forEach(seconds: number, now: number, visit: (from: number, to: number, bytes: number) => void): void {
    this.forget(now)
    for (const moved of this.moved) {
      if (moved.time > now - seconds && moved.time <= now) visit(moved.from, moved.to, moved.bytes)
    }
  }

  private forget(now: number): void {
    this.moved = this.moved.filter((moved) => moved.time > now - this.keepSeconds)
  }
}
