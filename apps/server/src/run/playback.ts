import type { Command } from '@windtunnel/orchestrator'
import type { ClientMessage, RunEvent, Speed } from '@windtunnel/protocol'
import { commandOf, eventOf, note, type SteeringMessage } from './commands.ts'
import { endReason, type Playing } from './playing.ts'
import { type RunTeller, timeOf } from './runTeller.ts'
import { written } from './writtenCommand.ts'
import { WrongState } from './wrongState.ts'

/** What viewers may do with a run, but for a reset: play it, hold it, pace it, steer it. */
export class Playback {
  readonly #teller: RunTeller
  /** Time that simulating uses up, in seconds. */
  readonly #workClock: () => number

  constructor(teller: RunTeller, workClock: () => number) {
    this.#teller = teller
    this.#workClock = workClock
  }

  /** Throws a WrongState, or the error of the simulation, when the message cannot be obeyed. */
  obey(playing: Playing, message: Exclude<ClientMessage, { type: 'reset' }>): void {
    if (message.type === 'watch') return
    if (playing.state === 'ended' && message.type !== 'speed')
      throw new WrongState(`The run has ended; send "reset" to begin again. Found "${message.type}".`)
    if (message.type === 'start') this.start(playing)
    else if (message.type === 'pause') this.#pause(playing)
    else if (message.type === 'step') this.#step(playing, message.events ?? 1)
    else if (message.type === 'speed') this.#setSpeed(playing, message.speed)
    else this.#steer(playing, message)
    if (playing.state !== 'ended') this.#teller.frame(playing)
  }

  start(playing: Playing): void {
    if (playing.state === 'running') return
    const kind = playing.state === 'ready' ? 'started' : 'resumed'
    playing.state = 'running'
    this.#teller.paceChanged()
    playing.driver.play()
    this.#teller.event(playing, 'viewer', kind, kind)
  }

  /** The end of the run: with `fault`, what went wrong, or when its time or its traffic is used up. */
  end(playing: Playing, fault?: unknown): void {
    if (playing.state === 'ended') return
    playing.state = 'ended'
    playing.driver.pause()
    playing.prepared.close?.()
    const reason = fault instanceof Error ? fault.message : fault === undefined ? undefined : String(fault)
    this.#teller.ended(playing, reason ?? endReason(playing, timeOf(playing)))
  }

  /** Simulates: does `work` and counts the time that it takes. A fault in it is the end of the run. */
  simulate(playing: Playing, work: () => void): void {
    const before = this.#workClock()
    try {
      work()
    } catch (fault) {
      this.end(playing, fault)
    } finally {
      playing.simulatorSeconds += this.#workClock() - before
    }
  }

  steered(playing: Playing, cause: RunEvent['cause'], command: Command): void {
    const { kind, text } = eventOf(command, playing, playing.names)
    note(command, playing)
    this.#teller.event(playing, cause, kind, text, JSON.stringify(written(playing.driver.log.at(-1)!)))
  }

  #pause(playing: Playing): void {
    if (playing.state !== 'running') return
    playing.state = 'paused'
    this.#teller.stood()
    playing.driver.pause()
    this.#teller.event(playing, 'viewer', 'paused', 'paused')
  }

  #step(playing: Playing, events: number): void {
    if (playing.state === 'running') throw new WrongState('A step needs a run that is paused; send "pause" first.')
    playing.state = 'paused'
    this.simulate(playing, () => void playing.driver.step(events))
    if (playing.driver.ended()) this.end(playing)
  }

  #setSpeed(playing: Playing, speed: Speed): void {
    playing.speed = speed
    this.#teller.paceChanged()
    playing.driver.setSpeed(speed === 'max' ? Number.POSITIVE_INFINITY : speed)
    this.#teller.event(playing, 'viewer', 'speed', speed === 'max' ? 'speed max' : `speed ${speed}x`)
  }

  #steer(playing: Playing, message: SteeringMessage): void {
    const command = commandOf(message)
    playing.driver.apply(command)
    this.steered(playing, 'viewer', command)
    if (!playing.driver.replaying) return
    playing.driver.leaveReplay()
    this.#teller.event(playing, 'viewer', 'replayLeft', 'the rest of the command log is left')
  }
}
