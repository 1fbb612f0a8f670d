import { phasesOf, type RequestTimeline, SilentReader, tpotOf, ttftOf } from '@windtunnel/metrics'

const HEAD =
  'request,service_class,tenant,replica,ending,arrival_s,input_tokens,output_tokens,cached_tokens,preemptions,ttft_s,tpot_s,e2e_s,queue_s,prefill_s,transfer_s,decode_s\n'

const cell = (value: number | undefined): string => (value === undefined ? '' : String(value))

/** Collects one line a request, in order of ending. Times are in virtual seconds; what did not come to pass is empty. */
export class RequestsCsv extends SilentReader {
  readonly #pieces: string[] = [HEAD]
  readonly #phases = { queue: 0, prefill: 0, transfer: 0, decode: 0 }
  readonly #classes: readonly string[]
  #lines: string[] = []

  constructor(classes: readonly string[]) {
    super()
    this.#classes = classes
  }

  override ended(t: RequestTimeline): void {
    const phases = phasesOf(t, this.#phases)
    const fields = [
      t.request,
      this.#classes[t.serviceClass] ?? t.serviceClass,
      t.tenant,
      cell(t.replica),
      t.ending,
      t.arrival,
      t.inputTokens,
      t.outputTokens,
      t.cachedTokens,
      t.preemptions,
      cell(ttftOf(t)),
      cell(tpotOf(t)),
      t.ended - t.arrival,
      phases.queue,
      phases.prefill,
      phases.transfer,
      phases.decode,
    ]
    this.#lines.push(fields.join(','))
    if (this.#lines.length >= 4096) this.#close()
  }

  /** The file in pieces. */
  pieces(): readonly string[] {
    this.#close()
    return this.#pieces
  }

  #close(): void {
    if (this.#lines.length > 0) this.#pieces.push(`${this.#lines.join('\n')}\n`)
    this.#lines = []
  }
}
