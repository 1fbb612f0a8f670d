import type { RequestDraft } from '@windtunnel/workload'

/** One request as the naive SGLang engine sees it. Times are BigInt ticks. */
export class ReferenceSglangRequest {
  readonly id: number
  readonly input: number
  readonly output: number
  readonly maxTokens: number
  readonly draft: RequestDraft
  phase: 'travelling' | 'waiting' | 'prefill' | 'decode' | 'transferring' | 'gone' = 'travelling'
  replica = -1
  source = -1
  emitted = 0
  computed = 0
  preemptions = 0
  lastToken = 0n
  clientLeft = false
  /** Its next decode gap is told by name: its last token did not come at the start of a decode step or the end of one. */
  named = false
  /** Pages of its own, keys of the tree pages that it holds, and pages kept for it where it is transferred to. */
  own = 0
  held: string[] = []
  received = 0

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
}
