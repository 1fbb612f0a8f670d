import { toSeconds } from '@windtunnel/des'
import type { Command } from '@windtunnel/orchestrator'
import type {
  Ack,
  ClientMessage,
  ErrorMessage,
  Frame,
  RunEvent,
  RunState,
  RunSummary,
  Speed,
} from '@windtunnel/protocol'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { commandOf, eventOf, note } from './commands.ts'
import { buildFrame } from './frameBuilder.ts'
import { Pace } from './pace.ts'
import { assemble, endReason, type Playing } from './playing.ts'
import type { PrepareRun } from './preparedRun.ts'
import type { RunNews } from './runNews.ts'
import { sampleMessage } from './sampleMessage.ts'

const FRAME_SECONDS = 0.1
/** Wall seconds of simulation between two looks at sockets and commands. */
const SLICE_SECONDS = 0.02
const SHORTEST_WINDOW_SECONDS = 10

export interface LiveRunOptions {
  run: string
  prepare: PrepareRun
  tell: (news: RunNews) => void
  /** Wall time in seconds from any origin. */
  clock: () => number
  /** Time that simulating uses up, in seconds: of the processor where that can be told; the wall clock when absent. */
  workClock?: () => number
  seed?: number
  speed?: Speed
  /** Commands of an earlier run with this seed to apply again at their virtual times, until a viewer steers. */
  replay?: readonly LoggedCommand[]
  /** Starts playing at once. */
  autostart?: boolean
}

/**
 * One scenario played live: paces the simulation, takes commands, and tells frames, events, samples and the end. Whoever
 * owns it calls `turn` again and again; it never waits by itself.
 */
export class LiveRun {
  readonly #options: LiveRunOptions
  readonly #pace = new Pace()
  #playing: Playing | undefined
  #speed: Speed
  #seq = 0
  #achievedSpeed = 0
  /** Wall time at which the next frame of a running run is due. */
  #nextFrame = Number.NEGATIVE_INFINITY
  #lastTurn: number | undefined
  #filling = false
  #fault: string | undefined

  constructor(options: LiveRunOptions) {
    this.#options = options
    this.#speed = options.speed ?? 1
  }

  async open(): Promise<void> {
    await this.#begin(this.#options.seed)
    if (this.#options.autostart === true) this.#start(this.#current())
    this.#tellFrame(this.#current())
  }

  get state(): RunState {
    return this.#current().state
  }

  /** The document of the run so far. */
  summary(): RunSummary {
    const { recorder, prepared, simulatorSeconds } = this.#current()
    const { facts } = prepared
    return recorder.document(prepared.simulation, {
      scenario: facts.name,
      seed: facts.seed,
      cost: { backend: facts.backend, extrapolated: prepared.extrapolated },
      warnings: facts.warnings,
      simulatorSeconds,
    })
  }

  /** The page that a Prometheus server would scrape from the simulated fleet. */
  metrics(): string {
    const { vllm, recorder, prepared } = this.#current()
    return vllm.page(prepared.facts.model, recorder.summary, prepared.simulation.view())
  }

  /** Seed and commands with their virtual times: with the scenario they give the run again. */
  log(): { seed: number; commands: WrittenCommand[] } {
    const { prepared, driver } = this.#current()
    return { seed: prepared.facts.seed, commands: driver.log.map(written) }
  }

  /** Does what a viewer asks for. The answer says when it took effect, or why it did not. */
  async command(message: ClientMessage): Promise<Ack | ErrorMessage> {
    try {
      if (message.type === 'reset') await this.#reset(message.seed)
      else this.#obey(this.#current(), message)
    } catch (cause) {
      return this.#refusal(message, cause)
    }
    return { type: 'ack', id: message.id, run: this.#options.run, time: this.#now(this.#current()) }
  }

  /** Simulates for at most a slice of wall time. Returns the wall seconds after which it wants to be called again. */
  turn(): number {
    const playing = this.#current()
    const begun = this.#options.clock()
    if (playing.state === 'running') {
      playing.wall += begun - (this.#lastTurn ?? begun)
      this.#lastTurn = begun
      const behind = this.#simulate(playing, begun)
      if (playing.driver.ended()) this.#end(playing)
      else if (begun >= this.#nextFrame) this.#tellFrame(playing)
      return behind ? 0 : 0.01
    }
    this.#lastTurn = undefined
    return 0.05
  }

  #simulate(playing: Playing, begun: number): boolean {
    let kept = true
    const { workClock = this.#options.clock } = this.#options
    const before = workClock()
    try {
      do kept = playing.driver.advance()
      while (!kept && this.#options.clock() - begun < SLICE_SECONDS)
    } catch (cause) {
      this.#fault = cause instanceof Error ? cause.message : String(cause)
      this.#end(playing)
    }
    playing.simulatorSeconds += workClock() - before
    this.#readOn(playing)
    return !kept
  }

  /** Reads more traffic when the run comes near the end of what is known. */
  #readOn({ prepared }: Playing): void {
    const known = prepared.knownUntil?.()
    if (known === undefined || prepared.fill === undefined || this.#filling) return
    const ahead = toSeconds(known) - toSeconds(prepared.simulation.now())
    if (ahead > Math.max(60, 5 * this.#achievedSpeed)) return
    this.#filling = true
    prepared.fill().then(
      () => {
        this.#filling = false
      },
      (cause: unknown) => {
        this.#filling = false
        this.#fault = cause instanceof Error ? cause.message : String(cause)
        if (this.#playing?.prepared === prepared) this.#end(this.#playing)
      },
    )
  }

  #obey(playing: Playing, message: Exclude<ClientMessage, { type: 'reset' }>): void {
    if (message.type === 'watch') return
    if (playing.state === 'ended' && message.type !== 'speed')
      throw new WrongState(`The run has ended; send "reset" to begin again. Found "${message.type}".`)
    switch (message.type) {
      case 'start':
        this.#start(playing)
        break
      case 'pause':
        this.#pause(playing)
        break
      case 'step':
        this.#step(playing, message.events ?? 1)
        break
      case 'speed':
        this.#setSpeed(playing, message.speed)
        break
      default:
        this.#steer(playing, message)
    }
    if (playing.state !== 'ended') this.#tellFrame(playing)
  }

  #start(playing: Playing): void {
    if (playing.state === 'running') return
    const kind = playing.state === 'ready' ? 'started' : 'resumed'
    playing.state = 'running'
    this.#pace.reset()
    playing.driver.play()
    this.#tellEvent(playing, 'viewer', kind, kind)
  }

  #pause(playing: Playing): void {
    if (playing.state !== 'running') return
    playing.state = 'paused'
    this.#achievedSpeed = 0
    playing.driver.pause()
    this.#tellEvent(playing, 'viewer', 'paused', 'paused')
  }

  #step(playing: Playing, events: number): void {
    if (playing.state === 'running') throw new WrongState('A step needs a run that is paused; send "pause" first.')
    playing.state = 'paused'
    const { workClock = this.#options.clock } = this.#options
    const before = workClock()
    playing.driver.step(events)
    playing.simulatorSeconds += workClock() - before
    if (playing.driver.ended()) this.#end(playing)
  }

  #setSpeed(playing: Playing, speed: Speed): void {
    this.#speed = speed
    this.#pace.reset()
    playing.driver.setSpeed(speed === 'max' ? Number.POSITIVE_INFINITY : speed)
    this.#tellEvent(playing, 'viewer', 'speed', speed === 'max' ? 'speed max' : `speed ${speed}x`)
  }

  #steer(playing: Playing, message: Parameters<typeof commandOf>[0]): void {
    const command = commandOf(message)
    playing.driver.apply(command)
    this.#tellSteered(playing, 'viewer', command)
    if (!playing.driver.replaying) return
    playing.driver.leaveReplay()
    this.#tellEvent(playing, 'viewer', 'replayLeft', 'the rest of the command log is left')
  }

  #tellSteered(playing: Playing, cause: RunEvent['cause'], command: Command): void {
    const { kind, text } = eventOf(command, playing, playing.names)
    note(command, playing)
    this.#tellEvent(playing, cause, kind, text, JSON.stringify(written(playing.driver.log.at(-1)!)))
  }

  async #reset(seed: number | undefined): Promise<void> {
    const playing = this.#current()
    const wasRunning = playing.state === 'running'
    if (playing.state !== 'ended') this.#options.tell({ kind: 'left', summary: this.summary() })
    await this.#begin(seed ?? playing.prepared.facts.seed)
    const fresh = this.#current()
    this.#tellEvent(fresh, 'viewer', 'reset', `reset with seed ${fresh.prepared.facts.seed}`)
    if (wasRunning) this.#start(fresh)
    this.#tellFrame(fresh)
  }

  async #begin(seed: number | undefined): Promise<void> {
    const { prepare, clock, replay = [] } = this.#options
    const prepared = await prepare(seed)
    // Traffic that is read while the run goes on must be known before the first event is asked for.
    await prepared.fill?.()
    const playing: Playing = assemble(prepared, this.#speed, clock, {
      commands: seed === this.#options.seed ? replay : [],
      onReplayed: (command) => this.#tellSteered(playing, 'log', command),
    })
    this.#playing = playing
    this.#fault = undefined
    this.#achievedSpeed = 0
    this.#pace.reset()
    this.#options.tell({ kind: 'begun', facts: prepared.facts })
  }

  #tellFrame(playing: Playing): Frame {
    const { run, clock, tell } = this.#options
    const wall = clock()
    // Kept on a grid, so that ten a second are ten a second; after a pause the grid begins anew.
    if (wall >= this.#nextFrame + FRAME_SECONDS) this.#nextFrame = wall + FRAME_SECONDS
    else if (wall >= this.#nextFrame) this.#nextFrame += FRAME_SECONDS
    if (playing.state === 'running') this.#achievedSpeed = this.#pace.mark(wall, this.#now(playing))
    const frame = buildFrame(playing, {
      run,
      seq: this.#seq++,
      wall: playing.wall,
      state: playing.state,
      speed: this.#speed,
      achievedSpeed: this.#achievedSpeed,
      windowSeconds: Math.max(
        SHORTEST_WINDOW_SECONDS,
        Math.min(playing.window.fleet.longestSeconds, this.#achievedSpeed),
      ),
      rate: playing.rate,
      router: playing.router,
      scheduler: playing.scheduler,
    })
    const thin = frame.seq % 2 === 0 ? JSON.stringify({ ...frame, replicas: [], links: [], classes: [] }) : undefined
    const news = {
      kind: 'frame',
      seq: frame.seq,
      time: frame.time,
      state: frame.state,
      text: JSON.stringify(frame),
    } as const
    tell(thin === undefined ? news : { ...news, thin })
    this.#tellSamples(playing)
    for (const { kind, text } of playing.incidents.watch(frame)) this.#tellEvent(playing, 'simulation', kind, text)
    return frame
  }

  #tellSamples({ samples, prepared }: Playing): void {
    for (const timeline of samples.take()) {
      const serviceClass = prepared.objectives[timeline.serviceClass]?.serviceClass ?? 'default'
      this.#options.tell({
        kind: 'sample',
        text: JSON.stringify(sampleMessage(this.#options.run, timeline, serviceClass)),
      })
    }
  }

  /** `command`: the logged command that the event tells of, JSON. */
  #tellEvent(playing: Playing, cause: RunEvent['cause'], kind: RunEvent['kind'], text: string, command?: string): void {
    const event: RunEvent = { type: 'event', run: this.#options.run, time: this.#now(playing), kind, cause, text }
    const news = { kind: 'event', text: JSON.stringify(event) } as const
    this.#options.tell(command === undefined ? news : { ...news, command })
  }

  #end(playing: Playing): void {
    if (playing.state === 'ended') return
    playing.state = 'ended'
    playing.driver.pause()
    const frame = this.#tellFrame(playing)
    const summary = this.summary()
    const reason = this.#fault ?? endReason(playing, this.#now(playing))
    const ended = { type: 'ended', run: this.#options.run, time: frame.time, reason, frame, summary }
    this.#options.tell({ kind: 'ended', text: JSON.stringify(ended), summary })
  }

  #refusal(message: ClientMessage, cause: unknown): ErrorMessage {
    const sentence = cause instanceof Error ? cause.message : String(cause)
    const code = cause instanceof WrongState ? 'wrongState' : 'refused'
    return { type: 'error', id: message.id, run: this.#options.run, code, message: sentence }
  }

  #now(playing: Playing): number {
    return toSeconds(playing.prepared.simulation.now())
  }

  #current(): Playing {
    if (this.#playing === undefined) throw new WrongState('The run is not open yet; wait for its hello.')
    return this.#playing
  }
}

class WrongState extends Error {}

/** A logged command as it is written down: whole virtual seconds, and ticks beyond them. */
type WrittenCommand = { seconds: number; ticks: number; command: Command }

const written = ({ time, command }: LoggedCommand): WrittenCommand => ({
  seconds: time.seconds,
  ticks: time.ticks,
  command,
})
