import { compareTime, copyTime, type Time, timeFromSeconds, toSeconds, zeroTime } from '@windtunnel/des'
import type { Command, Simulation } from '@windtunnel/orchestrator'
import { applyAndLog, type LoggedCommand } from './commandLog.ts'

/** Virtual seconds per wall second; `Infinity` for as fast as it goes. */
export type Speed = number

export interface PacedOptions {
  /** Wall time in seconds, from any origin; never goes back. */
  readonly clock: () => number
  readonly speed?: Speed
  /** Virtual time at which the run stops. */
  readonly durationSeconds?: number
  /** Most events handled by one call of `advance`, so that the caller stays responsive. */
  readonly sliceEvents?: number
  /** Virtual time up to which the traffic is known, when it comes in pieces: the run waits there. */
  readonly knownUntil?: () => Time | undefined
  /** Commands of an earlier run to apply again, in order of time. */
  readonly replay?: readonly LoggedCommand[]
  /** Told of each of them when it has taken effect. */
  onReplayed?(command: Command): void
}

export type Playback = 'playing' | 'paused' | 'ended'

/**
 * Maps virtual time to wall time. Call `advance` often (every frame): it runs the simulation to where wall time says it
 * should be. Pausing, stepping, changing speed and falling behind change when things are computed, never what happens.
 */
export class PacedDriver {
  readonly log: LoggedCommand[] = []
  readonly simulation: Simulation
  readonly #options: PacedOptions
  readonly #horizon: Time | undefined
  readonly #target: Time = zeroTime()
  readonly #next: Time = zeroTime()
  #speed: Speed
  #playing = false
  #replayed = 0
  #replay: readonly LoggedCommand[]
  /** Wall and virtual time at which the present pace began. */
  #wallAnchor = 0
  #virtualAnchor = 0

  constructor(simulation: Simulation, options: PacedOptions) {
    this.simulation = simulation
    this.#options = options
    this.#speed = checkedSpeed(options.speed ?? 1)
    this.#replay = options.replay ?? []
    this.#horizon = options.durationSeconds === undefined ? undefined : timeFromSeconds(options.durationSeconds)
  }

  get speed(): Speed {
    return this.#speed
  }

  get playback(): Playback {
    if (this.ended()) return 'ended'
    return this.#playing ? 'playing' : 'paused'
  }

  /** The horizon is reached; or, without one, nothing is left to happen. */
  ended(): boolean {
    if (this.#horizon !== undefined) return compareTime(this.simulation.now(), this.#horizon) >= 0
    if (this.#options.knownUntil?.() !== undefined || this.replaying) return false
    return !this.simulation.nextEventAt(this.#next)
  }

  /** Whether commands of an earlier run are still to come. */
  get replaying(): boolean {
    return this.#replayed < this.#replay.length
  }

  /** Goes another way from now on: forgets the commands of the earlier run that are still to come. */
  leaveReplay(): void {
    this.#replay = []
  }

  play(): void {
    if (this.#playing) return
    this.#playing = true
    this.#anchor()
  }

  pause(): void {
    this.#playing = false
  }

  /** Changes the pace from now on. Throws a RangeError unless the speed is above 0. */
  setSpeed(speed: Speed): void {
    this.#speed = checkedSpeed(speed)
    this.#anchor()
  }

  /** Runs `events` more events at once, whatever the pace, and pauses. Returns how many there were. */
  step(events = 1): number {
    this.pause()
    const limit = this.#limit()
    let handled = 0
    while (handled < events && this.simulation.nextEventAt(this.#next)) {
      if (limit !== undefined && compareTime(this.#next, limit) > 0) break
      if (this.#replayBefore(this.#next)) continue
      const done = this.simulation.runUntil(this.#next, events - handled)
      if (done === 0) break
      handled += done
    }
    return handled
  }

  /** Applies a command at the virtual time reached, and logs it. Throws the simulation's error when it cannot be applied. */
  apply(command: Command): void {
    applyAndLog(this.simulation, command, this.log)
  }

  /**
   * Brings the simulation to where wall time says it should be, within one slice of events. Returns true when it is there,
   * false when it has fallen behind and should be called again soon.
   */
  advance(): boolean {
    if (!this.#playing || this.ended()) return true
    const target = this.#aim()
    const sliceEvents = this.#options.sliceEvents ?? 20_000
    const left = sliceEvents - this.#runReplay(target, sliceEvents)
    if (left <= 0) return false
    const handled = this.#horizon === undefined ? this.#runEvents(target, left) : this.simulation.runUntil(target, left)
    if (handled < left) return this.#speed !== Number.POSITIVE_INFINITY || this.ended()
    return false
  }

  /** Virtual seconds that wall time is ahead of the simulation; 0 when it keeps up, and at unlimited speed. */
  lagSeconds(): number {
    if (!this.#playing || this.#speed === Number.POSITIVE_INFINITY) return 0
    const due = this.#virtualAnchor + (this.#options.clock() - this.#wallAnchor) * this.#speed
    return Math.max(0, due - toSeconds(this.simulation.now()))
  }

  /** Runs to each command of the earlier run that is due by `target`, and applies it. Returns the events handled. */
  #runReplay(target: Time, maxEvents: number): number {
    let handled = 0
    for (let due = this.#due(); due !== undefined && compareTime(due.time, target) <= 0; due = this.#due()) {
      handled += this.simulation.runUntil(due.time, maxEvents - handled)
      if (handled >= maxEvents) break
      this.#applyDue(due)
    }
    return handled
  }

  /** Applies the next command of the earlier run if it comes before an event at `next`; false when there is none. */
  #replayBefore(next: Time): boolean {
    const due = this.#due()
    if (due === undefined || compareTime(due.time, next) >= 0) return false
    this.simulation.runUntil(due.time, 1)
    this.#applyDue(due)
    return true
  }

  #applyDue(due: LoggedCommand): void {
    this.#replayed += 1
    this.apply(due.command)
    this.#options.onReplayed?.(due.command)
  }

  #due(): LoggedCommand | undefined {
    return this.#replay[this.#replayed]
  }

  /** Runs to `target`, but no further than the last event there is: a run without a horizon ends with its last event. */
  #runEvents(target: Time, sliceEvents: number): number {
    let handled = 0
    while (handled < sliceEvents && this.simulation.nextEventAt(this.#next)) {
      if (compareTime(this.#next, target) > 0) {
        this.simulation.runUntil(target, 0)
        break
      }
      const done = this.simulation.runUntil(this.#next, sliceEvents - handled)
      if (done === 0) break
      handled += done
    }
    return handled
  }

  #aim(): Time {
    if (this.#speed === Number.POSITIVE_INFINITY) {
      if (this.simulation.nextEventAt(this.#next)) copyTime(this.#target, this.#next)
      else if (this.#horizon !== undefined) copyTime(this.#target, this.#horizon)
      else copyTime(this.#target, this.#due()?.time ?? this.simulation.now())
      this.#target.seconds += 60
    } else {
      const due = this.#virtualAnchor + (this.#options.clock() - this.#wallAnchor) * this.#speed
      copyTime(this.#target, timeFromSeconds(due))
    }
    const limit = this.#limit()
    if (limit !== undefined && compareTime(this.#target, limit) > 0) copyTime(this.#target, limit)
    const now = this.simulation.now()
    if (compareTime(this.#target, now) < 0) copyTime(this.#target, now)
    return this.#target
  }

  /** The earlier of the horizon and the end of the known traffic. */
  #limit(): Time | undefined {
    const known = this.#options.knownUntil?.()
    if (known === undefined) return this.#horizon
    return this.#horizon === undefined || compareTime(known, this.#horizon) < 0 ? known : this.#horizon
  }

  #anchor(): void {
    this.#wallAnchor = this.#options.clock()
    this.#virtualAnchor = toSeconds(this.simulation.now())
  }
}

function checkedSpeed(speed: Speed): Speed {
  if (!(speed > 0)) throw new RangeError(`speed must be above 0 (virtual seconds per wall second); found ${speed}`)
  return speed
}
