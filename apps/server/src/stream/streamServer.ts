import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { clearInterval, setInterval } from 'node:timers'
import { STREAM_PATH } from '@windtunnel/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import { type GateOptions, originAllowed, tokenAccepted } from '../http/gate.ts'
import { Conversation } from './conversation.ts'
import { Packer } from './packer.ts'
import type { RunDirectory } from './runDirectory.ts'
import { Viewer } from './viewer.ts'

export interface StreamLimits {
  readonly viewers: number
  /** Longest message of a client in bytes; a longer one closes the connection with code 1009. */
  readonly messageBytes: number
  /** A connection that does not answer a ping in this time is dead. */
  readonly pingSeconds: number
}

export const DEFAULT_LIMITS: StreamLimits = { viewers: 2000, messageBytes: 64 * 1024, pingSeconds: 15 }

/** Forms in which a viewer may ask for messages. */
const ENCODINGS = ['json', 'binary']

const wallSeconds = (): number => performance.now() / 1000

/** WebSocket side of the server: who may connect, and one conversation for each who does. */
export class StreamServer {
  readonly #sockets: WebSocketServer
  readonly #directory: RunDirectory
  readonly #gate: GateOptions
  readonly #limits: StreamLimits
  readonly #alive = new WeakSet<WebSocket>()
  readonly #pings: NodeJS.Timeout
  readonly #packer = new Packer()
  #refused = 0

  constructor(directory: RunDirectory, gate: GateOptions, limits: StreamLimits = DEFAULT_LIMITS) {
    this.#directory = directory
    this.#gate = gate
    this.#limits = limits
    this.#sockets = new WebSocketServer({ noServer: true, maxPayload: limits.messageBytes })
    this.#pings = setInterval(() => this.#ping(), limits.pingSeconds * 1000)
    this.#pings.unref()
  }

  get viewers(): number {
    return this.#sockets.clients.size
  }

  /** Connections refused since the start. */
  get refused(): number {
    return this.#refused
  }

  /** Listener for the `upgrade` event of a node:http server. */
  readonly upgrade = (request: IncomingMessage, socket: Duplex, head: Buffer): void => {
    socket.on('error', () => socket.destroy())
    const refusal = this.#refusal(request)
    if (refusal !== undefined) {
      this.#refused += 1
      socket.end(`HTTP/1.1 ${refusal}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`)
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#converse(accepted, request))
  }

  /** Says goodbye to every viewer. */
  async close(): Promise<void> {
    clearInterval(this.#pings)
    for (const socket of this.#sockets.clients) socket.close(1001, 'the server stops')
    await new Promise((resolve) => setTimeout(resolve, this.#sockets.clients.size > 0 ? 100 : 0))
    for (const socket of this.#sockets.clients) socket.terminate()
    await new Promise((resolve) => this.#sockets.close(resolve))
  }

  #refusal(request: IncomingMessage): string | undefined {
    if (pathOf(request) !== STREAM_PATH) return '404 Not Found'
    if (!originAllowed(request, this.#gate)) return '403 Forbidden'
    if (!tokenAccepted(request, this.#gate)) return '401 Unauthorized'
    if (!ENCODINGS.includes(questionOf(request).get('encoding') ?? 'json')) return '400 Bad Request'
    return this.viewers >= this.#limits.viewers ? '503 Service Unavailable' : undefined
  }

  #converse(socket: WebSocket, request: IncomingMessage): void {
    const asked = questionOf(request)
    const binary = asked.get('encoding') === 'binary'
    const viewer = new Viewer({
      get bufferedAmount() {
        return socket.bufferedAmount
      },
      send: (text, sent) => {
        if (socket.readyState === socket.OPEN) socket.send(binary ? this.#packer.pack(text) : text, sent)
      },
      terminate: () => socket.terminate(),
    })
    const conversation = new Conversation(viewer, this.#directory, wallSeconds)
    this.#alive.add(socket)
    socket.on('pong', () => this.#alive.add(socket))
    socket.on('message', (message, isBinary) => {
      if (isBinary) conversation.hearBinary()
      else conversation.hear(message.toString())
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', () => conversation.end())
    conversation.begin(asked.get('run') ?? undefined)
  }

  #ping(): void {
    for (const socket of this.#sockets.clients) {
      if (!this.#alive.has(socket)) socket.terminate()
      else {
        this.#alive.delete(socket)
        socket.ping()
      }
    }
  }
}

const pathOf = (request: IncomingMessage): string => (request.url ?? '').split('?')[0]!

const questionOf = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
