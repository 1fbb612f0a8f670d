import type { ClientMessage, ServerMessage } from '@windtunnel/protocol'
import { STREAM_PATH } from '@windtunnel/protocol/version'
import type { RunRecipe } from '../engine/recipe.ts'
import { listKept, readKept } from '../runs/keptRuns.ts'
import { apiAddress } from '../shell/server.ts'
import type { Source, SourceListener } from './source.ts'

const firstRetrySeconds = 0.5
const longestRetrySeconds = 8
/** A host that takes the connection and says nothing is no server. */
const longestSilenceSeconds = 4

/** The address of the stream on the server that this page came from. */
export const streamAddress = (page: Location): string =>
  `${page.protocol === 'https:' ? 'wss:' : 'ws:'}//${page.host}${apiAddress(STREAM_PATH)}`

/** A live run on a server, over one WebSocket that is opened again with growing pauses when it breaks. */
export class ServerSource implements Source {
  readonly place = 'server'
  private readonly address: string
  private socket: WebSocket | undefined
  private listener: SourceListener | undefined
  private timer: ReturnType<typeof setTimeout> | undefined
  private pause = firstRetrySeconds
  private everOpened = false
  private closed = false
  private run: string | undefined

  /** `run`: the run to watch; the server's first when absent. */
  constructor(address: string, run?: string) {
    this.address = address
    this.run = run
  }

  open(listener: SourceListener): void {
    this.listener = listener
    this.connect()
  }

  private connect(): void {
    clearTimeout(this.timer)
    const socket = new WebSocket(this.addressNow())
    this.socket = socket
    const silence = setTimeout(() => socket.close(), longestSilenceSeconds * 1000)
    socket.onopen = () => {
      clearTimeout(silence)
      this.everOpened = true
      this.pause = firstRetrySeconds
      this.listener?.opened()
    }
    socket.onmessage = (event: MessageEvent<string>) => {
      const message = JSON.parse(event.data) as ServerMessage
      if (message.type === 'hello') this.run = message.run
      this.listener?.message(message)
    }
    socket.onclose = () => {
      clearTimeout(silence)
      if (this.closed || socket !== this.socket) return
      this.listener?.lost(this.everOpened, this.pause)
      this.timer = setTimeout(() => this.connect(), this.pause * 1000)
      this.pause = Math.min(longestRetrySeconds, this.pause * 2)
    }
  }

  /** It asks for the run that it was made for; after a loss, for the one that it watched. */
  private addressNow(): string {
    if (this.run === undefined) return this.address
    const address = new URL(this.address)
    address.searchParams.set('run', this.run)
    return address.href
  }

  send(message: ClientMessage): void {
    if (this.socket?.readyState === WebSocket.OPEN) this.socket.send(JSON.stringify(message))
  }

  /** As the server keeps it: it writes down every run from its beginning. */
  async recipe(): Promise<RunRecipe> {
    const kept = (await listKept()).find(({ run }) => run === this.run)
    if (kept === undefined) throw new Error('This server keeps no runs, so that no link can be made.')
    const { scenario, log } = await readKept(kept.id)
    return { scenario: JSON.stringify(scenario), log }
  }

  retry(): void {
    const old = this.socket
    this.socket = undefined
    old?.close()
    this.connect()
  }

  close(): void {
    this.closed = true
    clearTimeout(this.timer)
    this.socket?.close()
  }
}
