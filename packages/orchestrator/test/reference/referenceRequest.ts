import type { RequestDraft } from '@windtunnel/workload'

export type ReferencePhase = 'travelling' | 'waiting' | 'prefill' | 'decode' | 'transferring' | 'gone'

/** One request as the reference fleet sees it. Times are BigInt ticks. */
export class ReferenceRequest {
  readonly id: number
  readonly input: number
  readonly output: number
  readonly maxTokens: number
  readonly draft: RequestDraft
  phase: ReferencePhase = 'travelling'
  replica = -1
  /** Prefill replica that holds its KV during a transfer. */
  source = -1
  /** Generate replica chosen for it, from then until its KV is there. */
  target = -1
  /** Most tokens of its prompt whose KV could travel so far. */
  sendable = 0
  emitted = 0
  computed = 0
  preemptions = 0
  /** How often it was sent again after the loss of a replica. */
  retries = 0
  lastToken = 0n
  clientLeft = false

  constructor(id: number, draft: RequestDraft) {
    this.id = id
    this.draft = { ...draft, arrival: { ...draft.arrival } }
    this.input = draft.inputTokens
    this.output = Math.min(draft.outputTokens, draft.maxTokens)
    this.maxTokens = draft.maxTokens
  }

  get known(): number {
    return this.input + this.emitted
  }

  /** It begins anew. */
  restart(): void {
    this.phase = 'travelling'
    this.source = -1
    this.sendable = 0
    this.emitted = 0
    this.computed = 0
  }
}
