import { copyTime, EventQueue, RandomStream, type Time, zeroTime } from '@windtunnel/des'
import {
  createPromptTree,
  type Ending,
  type PromptTree,
  type RequestDraft,
  type RequestSource,
} from '@windtunnel/workload'
import type { LoopTraffic } from '../measured/measuredRun.ts'

/** A number of users, each sending its next request the moment its last one ended, until all requests were sent. */
export class ClosedLoopSource implements RequestSource {
  readonly tree: PromptTree = createPromptTree()
  readonly #traffic: LoopTraffic
  readonly #lengths: RandomStream
  readonly #ready: EventQueue
  #left: number

  constructor(traffic: LoopTraffic, seed: number) {
    this.#traffic = traffic
    this.#lengths = new RandomStream(seed, 'closed loop lengths')
    this.#left = traffic.requests
    this.#ready = new EventQueue(traffic.users)
    const start = zeroTime()
    for (let user = 0; user < traffic.users; user++) this.#ready.push(start.seconds, start.ticks, 0, 0, 0)
  }

  peek(into: Time): boolean {
    return this.#left > 0 && this.#ready.peek(into)
  }

  take(into: RequestDraft): void {
    this.#ready.peek(into.arrival)
    this.#ready.pop()
    this.#left -= 1
    const { inputTokens, outputTokens, leastShare, outputJitter } = this.#traffic
    into.inputTokens = this.#draw(inputTokens, leastShare, 1)
    into.outputTokens =
      outputJitter > 0
        ? this.#draw(outputTokens, 1 - outputJitter, 1 + outputJitter)
        : this.#draw(outputTokens, leastShare, 1)
    into.maxTokens = into.outputTokens
    into.prompt = 0
    into.output = 0
    into.tag = 0
  }

  ended(_tag: number, _ending: Ending, time: Time): void {
    const at = copyTime(zeroTime(), time)
    this.#ready.push(at.seconds, at.ticks, 0, 0, 0)
  }

  #draw(full: number, from: number, to: number): number {
    const low = Math.max(1, Math.floor(full * from))
    const high = Math.max(low, Math.floor(full * to))
    return low + this.#lengths.integer(high - low + 1)
  }
}
