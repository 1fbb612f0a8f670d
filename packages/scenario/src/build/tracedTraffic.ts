import type { Time } from '@windtunnel/des'
import { limitSource } from '@windtunnel/workload/sources/limited'
import { TraceSource } from '@windtunnel/workload/sources/trace'
import { TraceReader } from '@windtunnel/workload/traces/reader'
import type { Refill } from '../drivers/batch.ts'
import type { Scenario } from '../schema/scenario.ts'
import { at, BuildError } from './buildError.ts'
import type { ScenarioFiles } from './files.ts'
import { serviceClassIndex } from './objectives.ts'
import type { Traffic } from './traffic.ts'

type TraceOptions = NonNullable<Scenario['traffic']['trace']>

/** Replays a trace. Throws a BuildError when its bytes were not given; bad rows throw while it is read. */
export function tracedTraffic(scenario: Scenario, trace: TraceOptions, files: ScenarioFiles): Traffic {
  const where = `traffic.trace (${trace.file})`
  if (files.trace === undefined) throw new BuildError(where, 'the bytes of the trace were not given with the scenario')
  const { maxRequests } = scenario.run
  const source = at(where, () => traceSource(scenario, trace))
  const reader = at(where, () => traceReader(trace))
  return {
    source: limitSource(source, maxRequests === undefined ? {} : { requests: maxRequests }),
    refill: new TraceRefill(where, source, reader, files.trace, trace.sort ? undefined : maxRequests),
    requestsPerSecond: source.meanRate,
    steerable: true,
    remarks: () => remarksOf(trace, reader),
  }
}

const traceSource = (scenario: Scenario, trace: TraceOptions): TraceSource =>
  new TraceSource({
    seed: scenario.seed,
    rateScale: trace.rateScale,
    startSeconds: trace.startSeconds,
    sort: trace.sort,
    clients: scenario.traffic.clients,
    serviceClass: serviceClassIndex(scenario, trace.serviceClass),
    ...(trace.arrivals === undefined ? {} : { arrivals: trace.arrivals }),
  })

function traceReader(trace: TraceOptions): TraceReader {
  const { name, ...formatOptions } = trace.format
  return new TraceReader({
    onBadRow: trace.onBadRow,
    times: trace.arrivals === undefined ? 'required' : 'optional',
    order: trace.sort || trace.arrivals !== undefined ? 'any' : 'error',
    ...(name === 'auto' ? {} : { format: name, formatOptions }),
    ...(trace.zeroTokens === undefined ? {} : { zeroTokens: trace.zeroTokens }),
  })
}

function remarksOf(trace: TraceOptions, { counts }: TraceReader): string[] {
  const remarks: string[] = []
  if (counts.badRows > 0)
    remarks.push(
      `${trace.file}: ${counts.badRows} rows could not be read and were skipped; the first: ${counts.problems[0] ?? ''}`,
    )
  if (counts.zeroRows > 0) remarks.push(`${trace.file}: ${counts.zeroRows} rows without tokens were left out`)
  return remarks
}

/** Reads rows of a trace into a source, as many as it wants at a time. */
class TraceRefill implements Refill {
  readonly #where: string
  readonly #source: TraceSource
  readonly #reader: TraceReader
  readonly #pieces: AsyncIterator<Uint8Array>
  #rowsLeft: number

  constructor(
    where: string,
    source: TraceSource,
    reader: TraceReader,
    bytes: AsyncIterable<Uint8Array>,
    maxRows = Number.POSITIVE_INFINITY,
  ) {
    this.#where = where
    this.#source = source
    this.#reader = reader
    this.#pieces = bytes[Symbol.asyncIterator]()
    this.#rowsLeft = maxRows
  }

  knownUntil(): Time | undefined {
    return this.#source.knownUntil()
  }

  async fill(): Promise<void> {
    while (this.#source.needsRows()) {
      if (at(this.#where, () => this.#offerRows())) return
      const piece = await this.#pieces.next()
      if (piece.done === true) {
        this.#reader.end()
        at(this.#where, () => this.#offerRows())
        this.#refuseEmpty()
        this.#source.close()
      } else at(this.#where, () => this.#reader.push(piece.value))
    }
  }

  #refuseEmpty(): void {
    const { rows, badRows, zeroRows } = this.#reader.counts
    if (rows > 0) return
    const skipped = badRows + zeroRows
    throw new BuildError(this.#where, `the trace has no rows${skipped > 0 ? ` but ${skipped} that were skipped` : ''}`)
  }

  /** Offers what has been read; true when the source has enough. */
  #offerRows(): boolean {
    while (this.#source.needsRows()) {
      if (this.#rowsLeft <= 0) {
        this.#source.close()
        void this.#pieces.return?.()
        return true
      }
      const row = this.#reader.next()
      if (row === undefined) return false
      this.#source.offer(row)
      this.#rowsLeft -= 1
    }
    return true
  }
}
