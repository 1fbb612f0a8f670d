import type {
  ClientMessage,
  Frame,
  RunEvent,
  RunSummary,
  ScenarioFacts,
  ServerMessage,
  Speed,
} from '@windtunnel/protocol'
import { PROTOCOL_VERSION } from '@windtunnel/protocol/version'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { LiveRun } from '@windtunnel/server/run/liveRun'
import type { PrepareRun } from '@windtunnel/server/run/preparedRun'
import type { RunNews } from '@windtunnel/server/run/runNews'

export interface PlayedRunOptions {
  run: string
  prepare: PrepareRun
  /** Gets what a server would send, in the same order. */
  tell: (message: ServerMessage) => void
  seed?: number
  speed?: Speed
  /** Commands of an earlier run with this seed, to be applied again at their virtual times. */
  replay?: readonly LoggedCommand[]
}

const wallSeconds = (): number => performance.now() / 1000

/** A live run without a server: the server's own run, its news turned into the messages of the protocol. */
export class PlayedRun {
  private readonly live: LiveRun
  private readonly options: PlayedRunOptions
  private facts: ScenarioFacts | undefined
  private early: RunEvent[] = []
  private timer: ReturnType<typeof setTimeout> | undefined
  private readonly soon = new MessageChannel()
  private open = true

  constructor(options: PlayedRunOptions) {
    this.options = options
    this.live = new LiveRun({ ...options, tell: (news) => this.hear(news), clock: wallSeconds, autostart: true })
    this.soon.port1.onmessage = () => this.turn()
  }

  async start(): Promise<void> {
    await this.live.open()
    this.turn()
  }

  async command(message: ClientMessage): Promise<void> {
    this.options.tell(await this.live.command(message))
  }

  summary(): RunSummary {
    return this.live.summary()
  }

  log(): ReturnType<LiveRun['log']> {
    return this.live.log()
  }

  close(): void {
    this.open = false
    clearTimeout(this.timer)
    this.soon.port1.close()
  }

  private turn(): void {
    if (!this.open) return
    const delaySeconds = this.live.turn()
    // A timer of zero waits four milliseconds; a message does not.
    if (delaySeconds === 0) this.soon.port2.postMessage(undefined)
    else this.timer = setTimeout(() => this.turn(), delaySeconds * 1000)
  }

  private hear(news: RunNews): void {
    if (news.kind === 'begun') {
      this.facts = news.facts
      this.early = []
    } else if (news.kind === 'frame' && this.facts !== undefined) this.greet(this.facts, JSON.parse(news.text) as Frame)
    else if (news.kind === 'event' && this.facts !== undefined) this.early.push(JSON.parse(news.text) as RunEvent)
    else if (news.kind === 'frame' || news.kind === 'event' || news.kind === 'sample' || news.kind === 'ended')
      this.options.tell(JSON.parse(news.text) as ServerMessage)
  }

  /** The first frame after a beginning comes in a hello, as from a server; the later ones by themselves. */
  private greet(scenario: ScenarioFacts, frame: Frame): void {
    this.facts = undefined
    const { run, tell } = this.options
    const events = this.early
    tell({ type: 'hello', protocol: PROTOCOL_VERSION, run, runs: [], scenario, history: [frame], events, samples: [] })
  }
}
