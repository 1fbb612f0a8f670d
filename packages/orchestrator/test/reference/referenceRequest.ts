import type { RequestDraft } from '@windtunnel/workload'
import type { Block } from './referenceKv.ts'

export type ReferencePhase = 'travelling' | 'waiting' | 'prefill' | 'decode' | 'transferring' | 'gone'

/** One request as the reference engine sees it. Times are BigInt ticks. */
export class ReferenceRequest {
  readonly id: number
  readonly input: number
  readonly output: number
  readonly maxTokens: number
  readonly endsEarly: boolean
  readonly draft: RequestDraft
  phase: ReferencePhase = 'travelling'
  replica = -1
  source = -1
  /** Generate replica chosen for it, from then until its KV is there. */
  target = -1
  /** Most tokens of its prompt whose KV could travel so far. */
  sendable = 0
  emitted = 0
  computed = 0
  preemptions = 0
  lastToken = 0n
  joinOrder = 0
  clientLeft = false
  /** The chunk that completes its known text has been scheduled. */
  promptDone = false
  /** Its last allowed token is in flight. */
  leaving = false
  /** Blocks of its text, from the start, for which it has room. */
  room = 0
  /** Blocks kept on the host while it waits. */
  host = 0
  own: Block[] = []
  shared: Block[] = []

  constructor(id: number, draft: RequestDraft) {
    this.id = id
    this.draft = { ...draft, arrival: { ...draft.arrival } }
    this.input = draft.inputTokens
    this.output = Math.min(draft.outputTokens, draft.maxTokens)
    this.maxTokens = draft.maxTokens
    this.endsEarly = draft.outputTokens < draft.maxTokens
  }

  get known(): number {
    return this.input + this.emitted
  }

  get leaf(): number {
    return this.emitted > 0 && this.draft.output !== 0 ? this.draft.output : this.draft.prompt
  }
}
