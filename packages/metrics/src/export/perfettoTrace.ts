import type { SimulationView } from '@windtunnel/orchestrator'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { type LedgerReader, SilentReader } from '../timeline/requestLedger.ts'
import { phasesOf, type RequestTimeline } from '../timeline/requestTimeline.ts'

/** Process numbers of the tracks: replicas from 1 on, then one for all transfers and one for all requests. */
const TRANSFERS = 1_000_000
const REQUESTS = 1_000_001
const PHASES = ['queue', 'prefill', 'transfer', 'decode'] as const

const microseconds = (seconds: number): number => seconds * 1e6

export interface PerfettoOptions {
  /** Takes the text piece by piece, in order. */
  readonly write: (text: string) => void
  /** Of requests, one in so many gets a track; 1 when absent. */
  readonly oneIn?: number
  /** Name of a replica for its track; `replica 3` when absent. */
  readonly nameOf?: (replica: number) => string
}

/**
 * Writes a run as a trace that Perfetto and chrome://tracing open (the JSON trace event format): a process for each
 * replica with its steps and counters, async tracks for KV transfers, and for requests with their phases nested inside.
 * It writes as facts come and holds nothing but the transfers under way. Call `close` at the end.
 */
export class PerfettoTrace extends SilentObserver {
  readonly reader: LedgerReader
  readonly #options: PerfettoOptions
  readonly #named = new Set<number>()
  readonly #transfers = new Set<number>()
  #first = true

  constructor(options: PerfettoOptions) {
    super()
    this.#options = options
    this.reader = new PerfettoReader(this, options.oneIn ?? 1)
    options.write('{"displayTimeUnit":"ms","traceEvents":[')
    this.#process(TRANSFERS, 'KV transfers', 1)
    this.#process(REQUESTS, 'Requests', 2)
  }

  override stepped(
    replica: number,
    start: number,
    end: number,
    steps: number,
    sequences: number,
    prefillTokens: number,
    contextTokens: number,
  ): void {
    const pid = this.#track(replica)
    const name = prefillTokens > 0 ? (sequences > 0 ? 'prefill and decode' : 'prefill') : 'decode'
    const args = { steps, sequences, prefillTokens, contextTokens }
    this.emit({
      ph: 'X',
      name,
      cat: 'step',
      pid,
      tid: 1,
      ts: microseconds(start),
      dur: microseconds(end - start),
      args,
    })
    this.emit({ ph: 'C', name: 'batch', pid, tid: 0, ts: microseconds(start), args: { sequences } })
  }

  override preempted(request: number, time: number, replica: number): void {
    const pid = this.#track(replica)
    this.emit({ ph: 'i', s: 't', name: `preempted ${request}`, cat: 'step', pid, tid: 1, ts: microseconds(time) })
  }

  override transferStarted(request: number, time: number, from: number, to: number, bytes: number): void {
    this.#transfers.add(request)
    this.emit({ ...this.#transfer('b', request, time), args: { from, to, bytes } })
  }

  override transferred(request: number, time: number): void {
    if (this.#transfers.delete(request)) this.emit(this.#transfer('e', request, time))
  }

  override ended(request: number, time: number): void {
    this.transferred(request, time)
  }

  /** Adds the share of KV blocks in use on each replica as counters; call it now and then while the run goes on. */
  sample(view: SimulationView): void {
    for (const { replica, usedBlocks, totalBlocks } of view.replicas) {
      const percent = totalBlocks > 0 ? (100 * usedBlocks) / totalBlocks : 0
      const pid = this.#track(replica)
      this.emit({ ph: 'C', name: 'KV use %', pid, tid: 0, ts: microseconds(view.time), args: { percent } })
    }
  }

  /** Ends the file; transfers still under way end at `time` in virtual seconds. */
  close(time: number): void {
    for (const request of [...this.#transfers]) this.transferred(request, time)
    this.#options.write(']}\n')
  }

  emit(event: Readonly<Record<string, unknown>>): void {
    this.#options.write(`${this.#first ? '\n' : ',\n'}${JSON.stringify(event)}`)
    this.#first = false
  }

  #transfer(ph: 'b' | 'e', request: number, time: number): Record<string, unknown> {
    return { ph, id: request, name: 'transfer', cat: 'transfer', pid: TRANSFERS, tid: 1, ts: microseconds(time) }
  }

  #track(replica: number): number {
    const pid = replica + 1
    if (this.#named.has(pid)) return pid
    this.#named.add(pid)
    this.#process(pid, this.#options.nameOf?.(replica) ?? `replica ${replica}`, 10 + replica)
    this.emit({ ph: 'M', name: 'thread_name', pid, tid: 1, args: { name: 'steps' } })
    return pid
  }

  #process(pid: number, name: string, order: number): void {
    this.emit({ ph: 'M', name: 'process_name', pid, tid: 0, args: { name } })
    this.emit({ ph: 'M', name: 'process_sort_index', pid, tid: 0, args: { sort_index: order } })
  }
}

/** Writes a request, when it has ended, as an async slice with its phases inside. */
class PerfettoReader extends SilentReader {
  readonly #trace: PerfettoTrace
  readonly #oneIn: number
  readonly #phases = { queue: 0, prefill: 0, transfer: 0, decode: 0 }

  constructor(trace: PerfettoTrace, oneIn: number) {
    super()
    this.#trace = trace
    this.#oneIn = oneIn
  }

  override ended(timeline: RequestTimeline): void {
    if (timeline.request % this.#oneIn !== 0) return
    const { request, arrival, ended, ending, inputTokens, outputTokens, cachedTokens, preemptions } = timeline
    const args = { ending, inputTokens, outputTokens, cachedTokens, preemptions }
    this.#slice('b', request, `request ${request}`, arrival, args)
    const phases = phasesOf(timeline, this.#phases)
    let at = arrival
    PHASES.forEach((phase, index) => {
      // The last phase ends with the request, to the bit.
      const end = index === PHASES.length - 1 ? ended : Math.min(ended, at + phases[phase])
      if (phases[phase] > 0) {
        this.#slice('b', request, phase, at)
        this.#slice('e', request, phase, end)
      }
      at = end
    })
    this.#slice('e', request, `request ${request}`, ended)
  }

  #slice(ph: 'b' | 'e', id: number, name: string, time: number, args?: Record<string, unknown>): void {
    const event = { ph, id, name, cat: 'request', pid: REQUESTS, tid: 1, ts: microseconds(time) }
    this.#trace.emit(args === undefined ? event : { ...event, args })
  }
}
