import type {
  ClientCommand,
  ClientMessage,
  Ended,
  ErrorMessage,
  Frame,
  Hello,
  RequestSample,
  RunEvent,
  ServerMessage,
} from '@windtunnel/protocol'
import { PROTOCOL_VERSION } from '@windtunnel/protocol/version'
import type { RunRecipe } from '../engine/recipe.ts'
import { History } from './history.ts'
import type { Source } from './source.ts'

/** `gone` when the server answers, but has no more of the run that was watched. */
export type Connection = 'connecting' | 'live' | 'lost' | 'gone' | 'absent'

/** The control of the page that an error belongs to; `page` when it belongs to none. */
export type Control = 'transport' | 'rate' | 'mix' | 'router' | 'scheduler' | 'replicas' | 'reset' | 'page'

/** Everything the live view shows, replaced as a whole at most once per animation frame. */
export interface LiveState {
  connection: Connection
  retryInSeconds: number | undefined
  hello: Hello | undefined
  frame: Frame | undefined
  events: readonly RunEvent[]
  samples: readonly RequestSample[]
  ended: Ended | undefined
  errors: Readonly<Partial<Record<Control, string>>>
}

const empty: LiveState = {
  connection: 'connecting',
  retryInSeconds: undefined,
  hello: undefined,
  frame: undefined,
  events: [],
  samples: [],
  ended: undefined,
  errors: {},
}
const keptEvents = 200
const keptSamples = 120

const controlOf = (command: ClientCommand): Control => {
  switch (command.type) {
    case 'rate':
    case 'mix':
    case 'router':
    case 'scheduler':
    case 'reset':
      return command.type
    case 'addReplica':
    case 'removeReplica':
    case 'killReplica':
      return 'replicas'
    default:
      return 'transport'
  }
}

/** One live run as this page sees it: takes messages as they come, tells its listeners once per animation frame. */
export class LiveSession {
  readonly history = new History()
  state: LiveState = empty
  private next: LiveState = empty
  /** Where the run plays; undefined until the source is known. */
  place: Source['place'] | undefined
  private readonly pending: Source | Promise<Source>
  private source: Source | undefined
  private closed = false
  private readonly listeners = new Set<() => void>()
  private readonly asked = new Map<string, Control>()
  private lastId = 0
  private scheduled = false

  constructor(source: Source | Promise<Source>) {
    this.pending = source
  }

  open(): void {
    if (this.pending instanceof Promise) void this.pending.then((source) => this.listenTo(source))
    else this.listenTo(this.pending)
  }

  private listenTo(source: Source): void {
    if (this.closed) return
    this.source = source
    this.place = source.place
    source.open({
      opened: () =>
        this.change({ connection: this.next.hello === undefined ? 'connecting' : 'live', retryInSeconds: undefined }),
      message: (message) => this.receive(message),
      lost: (everOpened, retryInSeconds) => this.change({ connection: everOpened ? 'lost' : 'absent', retryInSeconds }),
    })
  }

  close(): void {
    this.closed = true
    this.source?.close()
    this.listeners.clear()
  }

  retry(): void {
    this.change({ connection: 'connecting', retryInSeconds: undefined })
    this.source?.retry()
  }

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener)
    return () => this.listeners.delete(listener)
  }

  /** Sends a command; an error in answer shows at the control it came from. */
  send(command: ClientCommand): void {
    this.lastId += 1
    const id = String(this.lastId)
    const control = controlOf(command)
    this.asked.set(id, control)
    this.clearError(control)
    this.source?.send({ ...command, id } as ClientMessage)
  }

  /** What gives the run so far again; rejects with a sentence where that is not known. */
  recipe(): Promise<RunRecipe> {
    return this.source?.recipe() ?? Promise.reject(new Error('There is no run yet.'))
  }

  /** Shows these frames in the charts, in place of those that came. */
  showHistory(frames: readonly Frame[]): void {
    this.history.clear()
    for (const frame of frames) this.history.push(frame)
    this.change({})
  }

  clearError(control: Control): void {
    if (this.next.errors[control] === undefined) return
    const { [control]: _gone, ...errors } = this.next.errors
    this.change({ errors })
  }

  private receive(message: ServerMessage): void {
    if (message.type === 'frame') {
      this.history.push(message)
      this.change({ frame: message, connection: 'live' })
    } else if (message.type === 'event') this.change({ events: [...this.next.events, message].slice(-keptEvents) })
    else if (message.type === 'requestSample')
      this.change({ samples: [...this.next.samples, message].slice(-keptSamples) })
    else if (message.type === 'hello') this.begin(message)
    else if (message.type === 'ended') {
      this.history.push(message.frame)
      this.change({ ended: message, frame: message.frame })
    } else if (message.type === 'ack') this.asked.delete(message.id)
    else if (message.type === 'error') this.refuse(message)
  }

  private begin(hello: Hello): void {
    this.history.clear()
    for (const frame of hello.history) this.history.push(frame)
    const frame = hello.history.at(-1)
    this.change({
      connection: 'live',
      retryInSeconds: undefined,
      hello,
      frame,
      events: hello.events,
      samples: hello.samples.slice(-keptSamples),
      ended:
        hello.ended === undefined || frame === undefined
          ? undefined
          : {
              type: 'ended',
              run: hello.run,
              time: frame.time,
              reason: 'The run is over.',
              frame,
              summary: hello.ended,
            },
      errors:
        hello.protocol === PROTOCOL_VERSION
          ? {}
          : {
              page: `The server speaks version ${hello.protocol} of the protocol, this page version ${PROTOCOL_VERSION}. Reload the page.`,
            },
    })
  }

  private refuse(error: ErrorMessage): void {
    const control = (error.id === undefined ? undefined : this.asked.get(error.id)) ?? 'page'
    if (error.id !== undefined) this.asked.delete(error.id)
    else if (error.code === 'unknownRun' && this.next.hello !== undefined) {
      this.change({ connection: 'gone' })
      return
    }
    this.change({ errors: { ...this.next.errors, [control]: error.message } })
  }

  private change(part: Partial<LiveState>): void {
    this.next = { ...this.next, ...part }
    if (this.scheduled) return
    this.scheduled = true
    requestAnimationFrame(() => {
      this.scheduled = false
      this.state = this.next
      for (const listener of this.listeners) listener()
    })
  }
}
