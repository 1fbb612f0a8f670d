import type { RequestDraft } from '@windtunnel/workload'
import type { Block } from './referenceKv.ts'
import { ReferenceRequest } from './referenceRequest.ts'

/** One request as the naive vLLM engine sees it. */
export class ReferenceVllmRequest extends ReferenceRequest {
  readonly endsEarly: boolean
  joinOrder = 0
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
  /** Blocks kept for it where it is transferred to. */
  received: Block[] = []

  constructor(id: number, draft: RequestDraft) {
    super(id, draft)
    this.endsEarly = draft.outputTokens < draft.maxTokens
  }

  get leaf(): number {
    return this.emitted > 0 && this.draft.output !== 0 ? this.draft.output : this.draft.prompt
  }

  override restart(): void {
    super.restart()
    this.promptDone = false
    this.leaving = false
    this.room = 0
    this.host = 0
    this.own = []
    this.shared = []
  }
}
