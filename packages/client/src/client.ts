import { type Ack, type ClientCommand, readServerMessage, type ServerMessage } from '@windtunnel/protocol'
import { Result } from 'effect'
import { CommandRefused, ConnectionLost } from './errors.ts'
import { MessageQueue } from './messageQueue.ts'
import { type OpenSocket, platformSocket, type Socket } from './socket.ts'
import { type StreamAddress, streamUrl } from './streamUrl.ts'

export type ClientStatus = 'connecting' | 'open' | 'waiting' | 'closed'

export interface ClientOptions extends StreamAddress {
  /** Seconds before the first attempt to connect again; doubled up to `longestRetrySeconds`. */
  readonly firstRetrySeconds?: number
  readonly longestRetrySeconds?: number
  readonly openSocket?: OpenSocket
}

type Listener<T extends ServerMessage['type']> = (message: Extract<ServerMessage, { type: T }>) => void
type AnyListener = (message: ServerMessage) => void

interface Pending {
  readonly resolve: (ack: Ack) => void
  readonly reject: (fault: Error) => void
}

/**
 * A connection to a live server that mends itself: after a loss it connects again and the server's hello brings the view
 * up to date. Listen with `on`, iterate over `messages()`, steer with `send`.
 */
export class WindtunnelClient {
  readonly #options: ClientOptions
  readonly #listeners = new Map<ServerMessage['type'], Set<AnyListener>>()
  readonly #statusListeners = new Set<(status: ClientStatus) => void>()
  readonly #queues = new Set<MessageQueue>()
  readonly #pending = new Map<string, Pending>()
  #socket: Socket | undefined
  #status: ClientStatus = 'connecting'
  #ids = 0
  #failures = 0
  #timer: ReturnType<typeof setTimeout> | undefined
  #run: string | undefined
  #unpacking: Promise<void> | undefined

  constructor(options: ClientOptions) {
    this.#options = options
    this.#run = options.run
    this.#connect()
  }

  get status(): ClientStatus {
    return this.#status
  }

  /** Calls `listener` for every message of a type. Returns a function that stops it. */
  on<T extends ServerMessage['type']>(type: T, listener: Listener<T>): () => void {
    const listeners = this.#listeners.get(type) ?? new Set()
    this.#listeners.set(type, listeners)
    listeners.add(listener as AnyListener)
    return () => listeners.delete(listener as AnyListener)
  }

  onStatus(listener: (status: ClientStatus) => void): () => void {
    this.#statusListeners.add(listener)
    return () => this.#statusListeners.delete(listener)
  }

  /** Every message from now on, across reconnections, until the client is closed or the loop is left. */
  messages(): AsyncIterableIterator<ServerMessage, undefined> {
    const queue: MessageQueue = new MessageQueue(() => this.#queues.delete(queue))
    if (this.#status === 'closed') queue.close()
    else this.#queues.add(queue)
    return queue
  }

  /**
   * Sends a command. Resolves when it has taken effect, with the virtual time; rejects with `CommandRefused`, or with
   * `ConnectionLost` when there is no connection or it breaks before the answer.
   */
  send(command: ClientCommand): Promise<Ack> {
    const socket = this.#socket
    if (socket === undefined || this.#status !== 'open')
      return Promise.reject(new ConnectionLost('Not connected; wait for the status "open".'))
    const id = `c${++this.#ids}`
    return new Promise((resolve, reject) => {
      this.#pending.set(id, { resolve, reject })
      socket.send(JSON.stringify({ ...command, id }))
    })
  }

  close(): void {
    this.#setStatus('closed')
    clearTimeout(this.#timer)
    this.#socket?.close(1000, 'done')
    this.#abandon('The client was closed.')
    for (const queue of this.#queues) queue.close()
    this.#queues.clear()
  }

  #connect(): void {
    this.#setStatus('connecting')
    const { openSocket = platformSocket, url, token, encoding } = this.#options
    const address = {
      url,
      ...(token === undefined ? {} : { token }),
      ...(encoding === undefined ? {} : { encoding }),
      ...(this.#run === undefined ? {} : { run: this.#run }),
    }
    const socket = openSocket(streamUrl(address))
    this.#socket = socket
    socket.binaryType = 'arraybuffer'
    socket.onmessage = ({ data }) => {
      if (typeof data === 'string') this.#hear(readServerMessage(data))
      else if (data instanceof ArrayBuffer) this.#unpack(new Uint8Array(data))
    }
    socket.onerror = () => {}
    socket.onclose = ({ code, reason }) => {
      if (socket === this.#socket) this.#lost(`The connection was lost (${code}${reason === '' ? '' : `, ${reason}`}).`)
    }
    socket.onopen = () => {
      this.#failures = 0
      this.#setStatus('open')
    }
  }

  #lost(reason: string): void {
    this.#socket = undefined
    this.#abandon(reason)
    if (this.#status === 'closed') return
    const { firstRetrySeconds = 0.25, longestRetrySeconds = 5 } = this.#options
    const wait = Math.min(longestRetrySeconds, firstRetrySeconds * 2 ** Math.min(this.#failures, 10))
    this.#failures += 1
    this.#setStatus('waiting')
    this.#timer = setTimeout(() => this.#connect(), wait * 1000)
  }

  #abandon(reason: string): void {
    for (const { reject } of this.#pending.values()) reject(new ConnectionLost(reason))
    this.#pending.clear()
  }

  /** Binary messages are heard in their order once their reader is there; it is loaded with the first of them. */
  #unpack(bytes: Uint8Array): void {
    this.#unpacking = Promise.all([import('@windtunnel/protocol/wireBinary'), this.#unpacking])
      .then(([{ readServerBinary }]) => this.#hear(readServerBinary(bytes)))
      // What a listener throws is its program's, and no reason to read no further.
      .catch((fault: unknown) => queueMicrotask(() => rethrow(fault)))
  }

  #hear(read: ReturnType<typeof readServerMessage>): void {
    if (this.#status === 'closed') return
    // A message that this version does not know is for later versions.
    if (Result.isFailure(read)) return
    const message = read.success
    if (message.type === 'hello') this.#run = message.run
    if (message.type === 'ack') this.#settle(message.id)?.resolve(message)
    if (message.type === 'error' && message.id !== undefined)
      this.#settle(message.id)?.reject(new CommandRefused(message))
    for (const listener of this.#listeners.get(message.type) ?? []) listener(message)
    for (const queue of this.#queues) queue.put(message)
  }

  #settle(id: string): Pending | undefined {
    const pending = this.#pending.get(id)
    this.#pending.delete(id)
    return pending
  }

  #setStatus(status: ClientStatus): void {
    if (status === this.#status || this.#status === 'closed') return
    this.#status = status
    for (const listener of this.#statusListeners) listener(status)
  }
}

function rethrow(fault: unknown): never {
  throw fault
}

/** Connects to a live server. */
export const connect = (options: ClientOptions): WindtunnelClient => new WindtunnelClient(options)
