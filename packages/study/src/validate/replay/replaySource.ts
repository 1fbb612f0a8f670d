import { copyTime, type Time, timeFromSeconds } from '@windtunnel/des'
import { createPromptTree, type PromptTree, type RequestDraft, type RequestSource } from '@windtunnel/workload'
import type { MeasuredRequest } from '../measured/measuredRun.ts'

/** Prompts are numbered after groups, so that no prompt is taken for a group. */
const PROMPTS_FROM = 1_000_000_000

/** Requests that were recorded, sent again at the times at which they were sent. */
export class ReplaySource implements RequestSource {
  readonly tree: PromptTree = createPromptTree()
  readonly #requests: readonly MeasuredRequest[]
  readonly #times: readonly Time[]
  readonly #nodes: readonly number[]
  #next = 0

  constructor(requests: readonly MeasuredRequest[]) {
    this.#requests = [...requests].sort((a, b) => a.arrivalSeconds - b.arrivalSeconds)
    this.#times = this.#requests.map((request) => timeFromSeconds(request.arrivalSeconds))
    this.#nodes = this.#requests.map((request) => this.#nodeOf(request))
  }

  #nodeOf({ prompt, group, groupTokens = 0, inputTokens }: MeasuredRequest): number {
    const shared = group === undefined ? 0 : Math.min(groupTokens, inputTokens)
    const parent = shared === 0 ? 0 : this.tree.child(0, group!, shared)
    const own = inputTokens - shared
    return prompt === undefined || own <= 0 ? parent : this.tree.child(parent, PROMPTS_FROM + prompt, own)
  }

  peek(into: Time): boolean {
    const at = this.#times[this.#next]
    if (at === undefined) return false
    copyTime(into, at)
    return true
  }

  take(into: RequestDraft): void {
    const request = this.#requests[this.#next]!
    copyTime(into.arrival, this.#times[this.#next]!)
    into.inputTokens = request.inputTokens
    into.outputTokens = request.outputTokens
    into.maxTokens = request.outputTokens
    into.prompt = this.#nodes[this.#next]!
    into.output = 0
    into.tag = this.#next
    this.#next += 1
  }

  ended(): void {}
}
