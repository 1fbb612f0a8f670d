import type { Ack, ClientMessage, ErrorMessage, RunState, RunSummary, Speed } from '@windtunnel/protocol'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { Playback } from './playback.ts'
import { assemble, type Playing } from './playing.ts'
import type { PrepareRun } from './preparedRun.ts'
import { logOf, metricsOf, summaryOf } from './runDocuments.ts'
import { RunTeller, type TellerOptions, timeOf } from './runTeller.ts'
import { TrafficReader } from './trafficReader.ts'
import { WrongState } from './wrongState.ts'

/** Wall seconds of simulation between two looks at sockets and commands. */
const SLICE_SECONDS = 0.02
/** Wall seconds between two turns of a run that keeps its pace, and of one that stands still. */
const TURN_SECONDS = 0.01
const IDLE_SECONDS = 0.05

export interface LiveRunOptions extends TellerOptions {
  prepare: PrepareRun
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
  readonly #teller: RunTeller
  readonly #playback: Playback
  readonly #reader: TrafficReader
  #playing: Playing | undefined
  #lastTurn: number | undefined
  /** Commands take effect one after the other; this ends when the last one so far has. */
  #obeyed: Promise<unknown> = Promise.resolve()

  constructor(options: LiveRunOptions) {
    this.#options = options
    this.#teller = new RunTeller(options)
    this.#playback = new Playback(this.#teller, options.workClock ?? options.clock)
    this.#reader = new TrafficReader((prepared, cause) => {
      if (this.#playing?.prepared === prepared) this.#playback.end(this.#playing, cause)
    })
  }

  async open(): Promise<void> {
    const { seed, speed = 1, autostart } = this.#options
    this.#begin(await this.#assembled(seed, speed))
    if (autostart === true) this.#playback.start(this.#current())
    this.#teller.frame(this.#current())
  }

  get state(): RunState {
    return this.#current().state
  }

  /** The document of the run so far. */
  summary(): RunSummary {
    return summaryOf(this.#current())
  }

  /** The page that a Prometheus server would scrape from the simulated fleet. */
  metrics(): string {
    return metricsOf(this.#current())
  }

  /** Seed and commands with their virtual times: with the scenario they give the run again. */
  log(): ReturnType<typeof logOf> {
    return logOf(this.#current())
  }

  /** Does what a viewer asks for, after what was asked before. The answer says when it took effect, or why it did not. */
  command(message: ClientMessage): Promise<Ack | ErrorMessage> {
    const answer = this.#obeyed.then(() => this.#obey(message))
    this.#obeyed = answer
    return answer
  }

  /** Simulates for at most a slice of wall time. Returns the wall seconds after which it wants to be called again. */
  turn(): number {
    const playing = this.#current()
    if (playing.state !== 'running') {
      this.#lastTurn = undefined
      return IDLE_SECONDS
    }
    const begun = this.#options.clock()
    playing.wall += begun - (this.#lastTurn ?? begun)
    this.#lastTurn = begun
    const behind = this.#simulate(playing, begun)
    if (playing.driver.ended()) this.#playback.end(playing)
    else if (playing.state === 'running' && this.#teller.due(begun)) this.#teller.frame(playing)
    return behind ? 0 : TURN_SECONDS
  }

  /** Whether the run is behind its pace after a slice. */
  #simulate(playing: Playing, begun: number): boolean {
    let kept = true
    this.#playback.simulate(playing, () => {
      do kept = playing.driver.advance()
      while (!kept && this.#options.clock() - begun < SLICE_SECONDS)
    })
    this.#reader.readOn(playing.prepared, this.#teller.achievedSpeed)
    return !kept
  }

  async #obey(message: ClientMessage): Promise<Ack | ErrorMessage> {
    const { run } = this.#options
    try {
      if (message.type === 'reset') await this.#reset(message.seed)
      else this.#playback.obey(this.#current(), message)
    } catch (cause) {
      const code = cause instanceof WrongState ? 'wrongState' : 'refused'
      const sentence = cause instanceof Error ? cause.message : String(cause)
      return { type: 'error', id: message.id, run, code, message: sentence }
    }
    return { type: 'ack', id: message.id, run, time: timeOf(this.#current()) }
  }

  async #reset(seed: number | undefined): Promise<void> {
    const before = this.#current()
    const fresh = await this.#assembled(seed ?? before.prepared.facts.seed, before.speed)
    const wasRunning = before.state === 'running'
    if (before.state !== 'ended') this.#teller.left(before)
    before.prepared.close?.()
    this.#begin(fresh)
    this.#teller.event(fresh, 'viewer', 'reset', `reset with seed ${fresh.prepared.facts.seed}`)
    if (wasRunning) this.#playback.start(fresh)
    this.#teller.frame(fresh)
  }

  #begin(playing: Playing): void {
    this.#playing = playing
    this.#teller.begun(playing)
  }

  async #assembled(seed: number | undefined, speed: Speed): Promise<Playing> {
    const { prepare, clock, replay = [] } = this.#options
    const prepared = await prepare(seed)
    // Traffic that is read while the run goes on must be known before the first event is asked for.
    await prepared.fill?.().catch((cause: unknown) => {
      prepared.close?.()
      throw cause
    })
    const playing: Playing = assemble(prepared, speed, clock, {
      commands: seed === this.#options.seed ? replay : [],
      onReplayed: (command) => this.#playback.steered(playing, 'log', command),
    })
    return playing
  }

  #current(): Playing {
    if (this.#playing === undefined) throw new WrongState('The run is not open yet; wait for its hello.')
    return this.#playing
  }
}
