import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { clearInterval, setInterval } from 'node:timers'
import { STREAM_PATH } from '@windtunnel/protocol'
import { type WebSocket, WebSocketServer } from 'ws'
import { type GateOptions, originAllowed, tokenAccepted } from '../http/gate.ts'
import type { Limits } from '../limits.ts'
import type { Log } from '../observe/log.ts'
import type { Telemetry } from '../observe/telemetry.ts'
import { Conversation } from './conversation.ts'
import type { RunDirectory } from './runDirectory.ts'
import { SocketWire } from './socketWire.ts'
import { Viewer } from './viewer.ts'

export interface StreamLimits extends Pick<Limits, 'viewers' | 'messageBytes'> {
  /** A connection that does not answer a ping in this time is dead. */
  readonly pingSeconds: number
}

export const PING_SECONDS = 15

/** Who is told of what happens. */
export interface Observed {
  readonly log: Log
  readonly span: Telemetry['span']
}

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
  readonly #log: Log
  readonly #span: Telemetry['span']
  #refused = 0
  #accepted = 0

  constructor(directory: RunDirectory, gate: GateOptions, limits: StreamLimits, observed: Observed) {
    this.#log = observed.log
    this.#span = observed.span
    this.#directory = directory
    this.#gate = gate
    this.#limits = limits
    this.#sockets = new WebSocketServer({
      noServer: true,
      maxPayload: limits.messageBytes,
      perMessageDeflate: false,
    })
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
      this.#log('debug', 'viewer refused', { status: refusal.status })
      socket.end(refusalText(refusal))
      return
    }
    this.#sockets.handleUpgrade(request, socket, head, (accepted) => this.#converse(accepted, socket, request))
  }

  /** Says goodbye to every viewer. */
  async close(): Promise<void> {
    clearInterval(this.#pings)
    for (const socket of this.#sockets.clients) socket.close(1001, 'the server stops')
    await new Promise((resolve) => setTimeout(resolve, this.#sockets.clients.size > 0 ? 100 : 0))
    for (const socket of this.#sockets.clients) socket.terminate()
    await new Promise((resolve) => this.#sockets.close(resolve))
  }

  #refusal(request: IncomingMessage): Refusal | undefined {
    const { viewers } = this.#limits
    if (pathOf(request) !== STREAM_PATH) return { status: '404 Not Found', error: `The stream is at ${STREAM_PATH}.` }
    if (!originAllowed(request, this.#gate))
      return { status: '403 Forbidden', error: 'This page or host name may not use this server.' }
    if (!tokenAccepted(request, this.#gate))
      return { status: '401 Unauthorized', error: 'A token is needed: "?token=TOKEN".' }
    const encoding = questionOf(request).get('encoding') ?? 'json'
    if (!ENCODINGS.includes(encoding))
      return {
        status: '400 Bad Request',
        error: `There is no encoding "${encoding.slice(0, 40)}"; there are ${ENCODINGS.join(', ')}.`,
      }
    if (this.viewers >= viewers)
      return {
        status: '503 Service Unavailable',
        error: `${viewers} viewers are the most that this server takes; come back later.`,
      }
    return undefined
  }

  #converse(socket: WebSocket, connection: Duplex, request: IncomingMessage): void {
    const asked = questionOf(request)
    const viewer = new Viewer(new SocketWire(socket, connection, asked.get('encoding') === 'binary'))
    connection.on('drain', () => viewer.drained())
    const number = ++this.#accepted
    const around = { number, clock: wallSeconds, log: this.#log, span: this.#span }
    const conversation = new Conversation(viewer, this.#directory, around)
    this.#log('debug', 'viewer connected', { viewer: number })
    this.#alive.add(socket)
    socket.on('pong', () => this.#alive.add(socket))
    socket.on('message', (message, isBinary) => {
      if (isBinary) conversation.hearBinary()
      else conversation.hear(message.toString())
    })
    socket.on('error', () => socket.terminate())
    socket.on('close', (code) => {
      conversation.end()
      this.#log('debug', 'viewer left', { viewer: number, code, merged: viewer.merged })
    })
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

interface Refusal {
  readonly status: string
  readonly error: string
}

function refusalText({ status, error }: Refusal): string {
  const body = JSON.stringify({ error })
  const head = [
    `HTTP/1.1 ${status}`,
    'Connection: close',
    'Content-Type: application/json',
    `Content-Length: ${Buffer.byteLength(body)}`,
  ]
  return `${head.join('\r\n')}\r\n\r\n${body}`
}

const questionOf = (request: IncomingMessage): URLSearchParams =>
  new URLSearchParams((request.url ?? '').split('?')[1] ?? '')
