import { SilentObserver } from '@windtunnel/orchestrator/observer'
import type { Ending } from '@windtunnel/workload'

/** Something that happened to one request, at a virtual time in seconds. */
export type StoryFact =
  | { kind: 'arrived'; time: number; inputTokens: number; outputTokens: number }
  | { kind: 'routed'; time: number; replica: number }
  | {
      kind: 'admitted'
      time: number
      replica: number
      cachedTokens: number
      queriedTokens: number
      preemptions: number
    }
  | { kind: 'chunk'; time: number; replica: number; tokens: number; context: number }
  | { kind: 'firstToken'; time: number }
  | { kind: 'longGap'; time: number; seconds: number }
  | { kind: 'preempted'; time: number; replica: number; computedTokens: number }
  | { kind: 'transferStarted'; time: number; from: number; to: number; bytes: number }
  | { kind: 'transferred'; time: number; from: number; to: number }
  | { kind: 'ended'; time: number; ending: Ending; outputTokens: number; reason: string }

const SECONDS_PER_TICK = 1 / 17_592_186_044_416

/** Writes down what happens to one request, and nothing else. */
export class RequestStory extends SilentObserver {
  readonly facts: StoryFact[] = []
  readonly #request: number

  constructor(request: number) {
    super()
    this.#request = request
  }

  override arrived(request: number, time: number, inputTokens: number, outputTokens: number): void {
    if (request === this.#request) this.facts.push({ kind: 'arrived', time, inputTokens, outputTokens })
  }

  override routed(request: number, time: number, replica: number): void {
    if (request === this.#request) this.facts.push({ kind: 'routed', time, replica })
  }

  override admitted(
    request: number,
    time: number,
    replica: number,
    cachedTokens: number,
    queriedTokens: number,
    preemptions: number,
  ): void {
    if (request !== this.#request) return
    this.facts.push({ kind: 'admitted', time, replica, cachedTokens, queriedTokens, preemptions })
  }

  override prefillChunk(request: number, time: number, replica: number, tokens: number, context: number): void {
    if (request === this.#request) this.facts.push({ kind: 'chunk', time, replica, tokens, context })
  }

  override firstToken(request: number, time: number): void {
    if (request === this.#request) this.facts.push({ kind: 'firstToken', time })
  }

  override tokenGap(request: number, time: number, gapTicks: number): void {
    if (request === this.#request) this.facts.push({ kind: 'longGap', time, seconds: gapTicks * SECONDS_PER_TICK })
  }

  override preempted(request: number, time: number, replica: number, computedTokens: number): void {
    if (request === this.#request) this.facts.push({ kind: 'preempted', time, replica, computedTokens })
  }

  override transferStarted(request: number, time: number, from: number, to: number, bytes: number): void {
    if (request === this.#request) this.facts.push({ kind: 'transferStarted', time, from, to, bytes })
  }

  override transferred(request: number, time: number, from: number, to: number): void {
    if (request === this.#request) this.facts.push({ kind: 'transferred', time, from, to })
  }

  override ended(request: number, time: number, ending: Ending, outputTokens: number, reason: string): void {
    if (request === this.#request) this.facts.push({ kind: 'ended', time, ending, outputTokens, reason })
  }
}
