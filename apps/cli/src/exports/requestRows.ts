import { phasesOf, type RequestTimeline, SilentReader, tpotOf, ttftOf } from '@windtunnel/metrics'

/** One request as the files on requests have it. Virtual seconds and tokens; what did not come to pass is undefined. */
export interface RequestRow {
  request: number
  service_class: string
  tenant: number
  replica: number | undefined
  ending: string
  arrival_s: number
  input_tokens: number
  output_tokens: number
  cached_tokens: number
  preemptions: number
  ttft_s: number | undefined
  tpot_s: number | undefined
  e2e_s: number
  queue_s: number
  prefill_s: number
  transfer_s: number
  decode_s: number
}

export const REQUEST_COLUMNS = [
  'request',
  'service_class',
  'tenant',
  'replica',
  'ending',
  'arrival_s',
  'input_tokens',
  'output_tokens',
  'cached_tokens',
  'preemptions',
  'ttft_s',
  'tpot_s',
  'e2e_s',
  'queue_s',
  'prefill_s',
  'transfer_s',
  'decode_s',
] as const satisfies readonly (keyof RequestRow)[]

/** Hands one row to `each` for every request that ended, in order of ending. */
export class RequestRows extends SilentReader {
  readonly #phases = { queue: 0, prefill: 0, transfer: 0, decode: 0 }
  readonly #classes: readonly string[]
  readonly #each: (row: RequestRow) => void

  constructor(classes: readonly string[], each: (row: RequestRow) => void) {
    super()
    this.#classes = classes
    this.#each = each
  }

  override ended(t: RequestTimeline): void {
    const phases = phasesOf(t, this.#phases)
    this.#each({
      request: t.request,
      service_class: this.#classes[t.serviceClass] ?? String(t.serviceClass),
      tenant: t.tenant,
      replica: t.replica,
      ending: t.ending,
      arrival_s: t.arrival,
      input_tokens: t.inputTokens,
      output_tokens: t.outputTokens,
      cached_tokens: t.cachedTokens,
      preemptions: t.preemptions,
      ttft_s: ttftOf(t),
      tpot_s: tpotOf(t),
      e2e_s: t.ended - t.arrival,
      queue_s: phases.queue,
      prefill_s: phases.prefill,
      transfer_s: phases.transfer,
      decode_s: phases.decode,
    })
  }
}
