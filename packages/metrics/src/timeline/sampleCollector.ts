import { SilentReader } from './ledgerReader.ts'
import { copyOfTimeline, type RequestTimeline } from './requestTimeline.ts'

/** Keeps one ended request in `oneIn` for somebody to take; at most `keep`, the oldest go first. */
export class SampleCollector extends SilentReader {
  readonly oneIn: number
  private readonly keep: number
  private samples: RequestTimeline[] = []

  constructor(oneIn: number, keep: number) {
    super()
    this.oneIn = oneIn
    this.keep = keep
  }

  override ended(timeline: RequestTimeline): void {
    if (timeline.request % this.oneIn !== 0) return
    if (this.samples.length === this.keep) this.samples.shift()
    this.samples.push(copyOfTimeline(timeline))
  }

  /** The samples since the last call, oldest first. */
  take(): RequestTimeline[] {
    const samples = this.samples
    this.samples = []
    return samples
  }
}

/** Calls `visit` for every ended request: per-request output, only when asked for. */
export class EachRequest extends SilentReader {
  private readonly visit: (timeline: RequestTimeline) => void

  constructor(visit: (timeline: RequestTimeline) => void) {
    super()
    this.visit = visit
  }

  override ended(timeline: RequestTimeline): void {
    this.visit(timeline)
  }
}
