import type { SimulationView } from '@windtunnel/orchestrator'
import { SilentObserver } from '@windtunnel/orchestrator/observer'
import { type LedgerReader, SilentReader } from '../timeline/ledgerReader.ts'
import { phasesOf, type RequestTimeline } from '../timeline/requestTimeline.ts'

/** Process numbers of the tracks: replicas from 1 on, then one for all transfers and one for all requests. */
const TRANSFERS = 1_000_000
const REQUESTS = 1_000_001
/** Threads of a replica: instants of preemption, then lanes of steps. */
const PREEMPTIONS = 1
const FIRST_LANE = 2
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
 * replica with its steps and counters, async tracks for the KV transfers of each link, and for requests with their phases nested inside.
 * It writes as facts come and holds nothing but the transfers under way. Call `close` at the end.
 */
export class PerfettoTrace extends SilentObserver {
  readonly reader: LedgerReader
  readonly #options: PerfettoOptions
  readonly #named = new Set<number>()
  /** Transfers under way, by request, with the name of their link: Perfetto makes a track of each name. */
  readonly #transfers = new Map<number, string>()
  /** When the last step of each lane of a replica ends. */
  readonly #lanes = new Map<number, number[]>()
  readonly #preempting = new Set<number>()
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
    const lane = this.#laneFor(replica, start)
    const tid = lane + FIRST_LANE
    const ends = this.#lanes.get(replica)!
    const counter = lane === 0 ? 'batch' : `batch ${lane + 1}`
    const idleFrom = ends[lane]
    if (idleFrom === undefined) this.#thread(pid, tid, lane === 0 ? 'steps' : `steps ${lane + 1}`)
    else if (idleFrom < start) this.#count(pid, counter, idleFrom, { sequences: 0, prefillTokens: 0 })
    ends[lane] = end
    const dur = microseconds(end - start)
    this.emit({ ph: 'X', name, cat: 'step', pid, tid, ts: microseconds(start), dur, args })
    this.#count(pid, counter, start, { sequences, prefillTokens })
  }

  override preempted(request: number, time: number, replica: number): void {
    const pid = this.#track(replica)
    if (!this.#preempting.has(replica)) this.#thread(pid, PREEMPTIONS, 'preemptions')
    this.#preempting.add(replica)
    const ts = microseconds(time)
    this.emit({ ph: 'i', s: 't', name: `preempted ${request}`, cat: 'step', pid, tid: PREEMPTIONS, ts })
  }

  override transferStarted(request: number, time: number, from: number, to: number, bytes: number): void {
    const link = `${this.#nameOf(from)} to ${this.#nameOf(to)}`
    this.#transfers.set(request, link)
    this.emit({ ...this.#transfer('b', link, request, time), args: { request, bytes } })
  }

  override transferred(request: number, time: number): void {
    const link = this.#transfers.get(request)
    if (link === undefined) return
    this.#transfers.delete(request)
    this.emit(this.#transfer('e', link, request, time))
  }

  override ended(request: number, time: number): void {
    this.transferred(request, time)
  }

  /** Adds the share of KV blocks in use on each replica as counters; call it now and then while the run goes on. */
  sample(view: SimulationView): void {
    for (const { replica, usedBlocks, totalBlocks } of view.replicas) {
      const percent = totalBlocks > 0 ? (100 * usedBlocks) / totalBlocks : 0
      const pid = this.#track(replica)
      this.#count(pid, 'KV use %', view.time, { percent })
    }
  }

  /** Ends the file; transfers still under way end at `time` in virtual seconds. */
  close(time: number): void {
    for (const request of [...this.#transfers.keys()]) this.transferred(request, time)
    this.#options.write(']}\n')
  }

  emit(event: Readonly<Record<string, unknown>>): void {
    this.#options.write(`${this.#first ? '\n' : ',\n'}${JSON.stringify(event)}`)
    this.#first = false
  }

  #nameOf(replica: number): string {
    return this.#options.nameOf?.(replica) ?? `replica ${replica}`
  }

  #transfer(ph: 'b' | 'e', link: string, request: number, time: number): Record<string, unknown> {
    return { ph, id: request, name: link, cat: 'transfer', pid: TRANSFERS, tid: 1, ts: microseconds(time) }
  }

  #track(replica: number): number {
    const pid = replica + 1
    if (this.#named.has(pid)) return pid
    this.#named.add(pid)
    this.#process(pid, this.#nameOf(replica), 10 + replica)
    return pid
  }

  /**
   * Steps of one engine follow one another; a server of several engines steps side by side, and runs of steps are told when
   * they are over. Each step goes to the first lane that is free when it starts.
   */
  #laneFor(replica: number, start: number): number {
    const ends = this.#lanes.get(replica) ?? []
    this.#lanes.set(replica, ends)
    const free = ends.findIndex((end) => end <= start)
    return free < 0 ? ends.length : free
  }

  #thread(pid: number, tid: number, name: string): void {
    this.emit({ ph: 'M', name: 'thread_name', pid, tid, args: { name } })
  }

  #count(pid: number, name: string, time: number, args: Readonly<Record<string, number>>): void {
    this.emit({ ph: 'C', name, pid, tid: 0, ts: microseconds(time), args })
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
