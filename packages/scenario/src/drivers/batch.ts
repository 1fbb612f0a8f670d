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
 * waits.
 */
export function runBatch(simulation: Simulation, options: BatchOptions = {}): LoggedCommand[] {
  const log: LoggedCommand[] = []
  const horizon = options.durationSeconds === undefined ? FOREVER : timeFromSeconds(options.durationSeconds)
  for (const { time, command } of options.replay ?? []) {
    if (compareTime(time, horizon) > 0) break
    runTo(simulation, time, options)
    applyAndLog(simulation, command, log)
  }
  runTo(simulation, horizon, options)
  return log
}

/** The same for traffic that comes in pieces: reads on whenever the run reaches the end of what is known. */
export async function runBatchFrom(simulation: Simulation, refill: Refill, options: BatchOptions = {}): Promise<void> {
  const horizon = options.durationSeconds === undefined ? FOREVER : timeFromSeconds(options.durationSeconds)
  const reach = zeroTime()
  for (;;) {
    await refill.fill()
    const known = refill.knownUntil()
    if (known === undefined || compareTime(known, horizon) >= 0) break
    runTo(simulation, copyTime(reach, known), options)
  }
  runTo(simulation, horizon, options)
}

/** Runs up to and including `until`, or until nothing is left to happen. */
function runTo(simulation: Simulation, until: Time, options: BatchOptions): void {
  const sliceEvents = options.sliceEvents ?? 50_000
  const next = zeroTime()
  while (simulation.nextEventAt(next) && compareTime(next, until) <= 0) {
    simulation.runUntil(until, sliceEvents)
    options.onSlice?.(simulation)
  }
  if (until !== FOREVER) simulation.runUntil(until, 0)
}
