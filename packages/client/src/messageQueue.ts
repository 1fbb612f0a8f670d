import type { ServerMessage } from '@windtunnel/protocol'

const MOST = 512

/**
 * Messages between a connection and a consumer that takes its time. Bounded: when it is full, the oldest frame or sample
 * goes; hellos, events, answers and the end of a run stay.
 */
export class MessageQueue implements AsyncIterableIterator<ServerMessage, undefined> {
  #messages: ServerMessage[] = []
  #waiting: ((result: IteratorResult<ServerMessage, undefined>) => void)[] = []
  #closed = false
  readonly #onReturn: () => void

  constructor(onReturn: () => void) {
    this.#onReturn = onReturn
  }

  [Symbol.asyncIterator](): this {
    return this
  }

  put(message: ServerMessage): void {
    const waiting = this.#waiting.shift()
    if (waiting !== undefined) {
      waiting({ done: false, value: message })
      return
    }
    this.#messages.push(message)
    if (this.#messages.length > MOST) this.#dropOne()
  }

  close(): void {
    this.#closed = true
    for (const waiting of this.#waiting.splice(0)) waiting({ done: true, value: undefined })
  }

  next(): Promise<IteratorResult<ServerMessage, undefined>> {
    const message = this.#messages.shift()
    if (message !== undefined) return Promise.resolve({ done: false, value: message })
    if (this.#closed) return Promise.resolve({ done: true, value: undefined })
    return new Promise((resolve) => this.#waiting.push(resolve))
  }

  return(): Promise<IteratorResult<ServerMessage, undefined>> {
    this.close()
    this.#onReturn()
    return Promise.resolve({ done: true, value: undefined })
  }

  #dropOne(): void {
    const index = this.#messages.findIndex(({ type }) => type === 'frame' || type === 'requestSample')
    this.#messages.splice(Math.max(0, index), 1)
  }
}
