import { copyTime, type Time, zeroTime } from '@windtunnel/des'
import type { Command, Simulation } from '@windtunnel/orchestrator'

/** A command and the virtual time at which it took effect. A run's log, scenario and seed give the run again. */
export interface LoggedCommand {
  readonly time: Readonly<Time>
  readonly command: Command
}

/**
 * Applies a command at the time reached, after everything that happens at that instant, and adds it to `log`. Throws the
 * simulation's error, and logs nothing, when the command cannot be applied.
 */
export function applyAndLog(simulation: Simulation, command: Command, log: LoggedCommand[]): void {
  const time = copyTime(zeroTime(), simulation.now())
  simulation.runUntil(time, Number.POSITIVE_INFINITY)
  simulation.apply(command)
  log.push({ time, command })
}
