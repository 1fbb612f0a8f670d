import { WebSocket } from 'ws'

/** How a viewer behaves. */
export type Manner = 'steady' | 'slow' | 'restless' | 'noisy'

export interface Tally {
  frames: number
  bytes: number
  /** Frames merged away for slow readers: gaps in `seq`. */
  merged: number
  /** Frames whose `seq` did not rise. Must stay 0. */
  disordered: number
  connections: number
  /** Answers to malformed messages. */
  errors: number
}

const NOISE = ['{"type":', 'null', '{"type":"fly","id":"1"}', '{"type":"rate","id":"2","requestsPerSecond":"x"}', '[]']

/** One viewer of the load test. It connects again whenever its connection ends, until it is stopped. */
export class LoadViewer {
  /** Whether the end of the run was told, live or in a hello. */
  ended = false
  readonly #url: string
  readonly #manner: Manner
  readonly #tally: Tally
  #socket: WebSocket | undefined
  #seq = -1
  #stopped = false

  constructor(url: string, manner: Manner, tally: Tally) {
    this.#url = url
    this.#manner = manner
    this.#tally = tally
    this.#connect()
  }

  /** Does now and then what its manner says. */
  act(chance: number): void {
    const socket = this.#socket
    if (socket?.readyState !== WebSocket.OPEN) return
    if (this.#manner === 'restless' && chance < 0.2) socket.terminate()
    if (this.#manner === 'noisy') socket.send(NOISE[Math.floor(chance * NOISE.length)] ?? '')
    if (this.#manner === 'slow') {
      if (socket.isPaused) socket.resume()
      else if (chance < 0.3) socket.pause()
    }
  }

  /** Reads all that is left, misbehaves no more. */
  settle(): void {
    this.#socket?.resume()
  }

  stop(): void {
    this.#stopped = true
    this.#socket?.terminate()
  }

  #connect(): void {
    if (this.#stopped) return
    this.#tally.connections += 1
    this.#seq = -1
    const socket = new WebSocket(this.#url, { perMessageDeflate: false })
    this.#socket = socket
    socket.on('message', (message) => this.#hear(message.toString()))
    socket.on('error', () => undefined)
    socket.on('close', () => setTimeout(() => this.#connect(), 200))
  }

  #hear(text: string): void {
    this.#tally.bytes += text.length
    if (text.startsWith('{"type":"frame"')) this.#frame(text)
    else if (text.startsWith('{"type":"ended"')) this.ended = true
    else if (text.startsWith('{"type":"error"')) this.#tally.errors += 1
    else if (text.startsWith('{"type":"hello"')) this.ended ||= 'ended' in JSON.parse(text)
  }

  #frame(text: string): void {
    const seq = Number(/"seq":(\d+)/.exec(text)?.[1])
    if (seq <= this.#seq) this.#tally.disordered += 1
    else if (this.#seq >= 0) this.#tally.merged += seq - this.#seq - 1
    this.#seq = seq
    this.#tally.frames += 1
  }
}
