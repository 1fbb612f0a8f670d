import { compareTime, copyTime, type Time, timeFromSeconds, zeroTime } from '@windtunnel/des'
import type { Simulation } from '@windtunnel/orchestrator'
import { applyAndLog, type LoggedCommand } from './commandLog.ts'

/** Traffic that comes in pieces from outside, such as a trace that is read while the run goes on. */
export interface Refill {
  /** Up to which virtual time the traffic is known; undefined when all of it is. Never run further than that. */
  knownUntil(): Time | undefined
  /** Reads on, as far as is sensible now. To be called before the run begins, and whenever it has reached `knownUntil`. */
  fill(): Promise<void>
}

export interface BatchOptions {
  /** Virtual time at which the run stops; without it the run ends when nothing is left to happen. */
  readonly durationSeconds?: number
  /** Commands of an earlier run to apply again, in order of time. */
  readonly replay?: readonly LoggedCommand[]
  /** Events between two calls of `onSlice`. */
  readonly sliceEvents?: number
  /** Called after every slice with the virtual time reached, in seconds. */
  onSlice?(simulation: Simulation): void
}

const FOREVER: Time = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

/**
 * Runs a simulation as fast as it goes, to its horizon or to the end of its traffic. For traffic that is all known: never
 * waits. Returns the log of the commands replayed.
 */
export function runBatch(simulation: Simulation, options: BatchOptions = {}): LoggedCommand[] {
  const batch = new Batch(simulation, options)
  batch.runTo(batch.horizon)
  return batch.log
}

/** The same for traffic that comes in pieces: reads on whenever the run reaches the end of what is known. */
export async function runBatchFrom(
  simulation: Simulation,
  refill: Refill,
  options: BatchOptions = {},
): Promise<LoggedCommand[]> {
  const batch = new Batch(simulation, options)
  const reach = zeroTime()
  for (;;) {
    await refill.fill()
    const known = refill.knownUntil()
    if (known === undefined || compareTime(known, batch.horizon) >= 0) break
    batch.runTo(copyTime(reach, known))
  }
  batch.runTo(batch.horizon)
  return batch.log
}

class Batch {
  readonly log: LoggedCommand[] = []
  readonly horizon: Time
  readonly #simulation: Simulation
  readonly #options: BatchOptions
  readonly #next: Time = zeroTime()
  #replayed = 0

  constructor(simulation: Simulation, options: BatchOptions) {
    this.#simulation = simulation
    this.#options = options
    this.horizon = options.durationSeconds === undefined ? FOREVER : timeFromSeconds(options.durationSeconds)
  }

  /** Runs up to and including `until`, or until nothing is left to happen, with the commands that are due on the way. */
  runTo(until: Time): void {
    const replay = this.#options.replay ?? []
    for (let due = replay[this.#replayed]; due !== undefined; due = replay[this.#replayed]) {
      if (compareTime(due.time, until) > 0) break
      this.#run(due.time)
      applyAndLog(this.#simulation, due.command, this.log)
      this.#replayed += 1
    }
    this.#run(until)
  }

  #run(until: Time): void {
    const { sliceEvents = 50_000, onSlice } = this.#options
    while (this.#simulation.nextEventAt(this.#next) && compareTime(this.#next, until) <= 0) {
      if (this.#simulation.runUntil(until, sliceEvents) === 0) return
      onSlice?.(this.#simulation)
    }
    if (until !== FOREVER) this.#simulation.runUntil(until, 0)
  }
}
