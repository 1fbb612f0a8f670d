import { type RandomStream, setSeconds, type Time } from '@windtunnel/des'
import type { Command, PoolConfig, Simulation } from '../../src/index.ts'
import { CommandError } from '../../src/index.ts'
import { pick } from './randomTraffic.ts'
import type { Recorder } from './recorder.ts'
import { ticksOf } from './referenceTime.ts'

export interface TimedCommand {
  at: Time
  command: Command
}

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

/** Replicas that come, drain and die at random times, of which many are those of steps and arrivals when on the grid of 2^-10 s. */
export function randomCommands(random: RandomStream, pools: readonly PoolConfig[], grid: boolean): TimedCommand[] {
  const span = pick(random, [0.02, 0.1, 0.5])
  const replicas = pools.reduce((sum, pool) => sum + pool.replicas, 0)
  const commands: TimedCommand[] = []
  for (let i = 1 + random.integer(8); i > 0; i--) {
    const seconds = random.uniform() * span
    const at = setSeconds({ seconds: 0, ticks: 0 }, grid ? Math.round(seconds * 1024) / 1024 : seconds)
    const replica = random.integer(replicas + 3)
    const kind = pick(random, ['addReplica', 'addReplica', 'removeReplica', 'killReplica', 'killReplica'] as const)
    const command = kind === 'addReplica' ? { kind, pool: pick(random, pools).name } : { kind, replica }
    commands.push({ at, command })
  }
  return commands.sort((a, b) => a.at.seconds - b.at.seconds || a.at.ticks - b.at.ticks)
}

/** Runs the simulation under the commands; a refused one is told like a fact. */
export function runUnder(simulation: Simulation, commands: readonly TimedCommand[], recorder: Recorder): void {
  for (const { at, command } of commands) {
    simulation.runUntil(at, 200_000)
    const taken = accepted(() => simulation.apply(command))
    recorder.facts.push(`${JSON.stringify(command)} ${taken}`)
  }
  simulation.runUntil(FOREVER, 200_000)
}

/** The same for the reference. */
export function referUnder(
  fleet: { run(until?: bigint): void; apply(command: Command): boolean },
  commands: readonly TimedCommand[],
  recorder: Recorder,
): void {
  for (const { at, command } of commands) {
    fleet.run(ticksOf(at))
    const taken = fleet.apply(command)
    recorder.facts.push(`${JSON.stringify(command)} ${taken}`)
  }
  fleet.run()
}

function accepted(apply: () => void): boolean {
  try {
    apply()
    return true
  } catch (error) {
    if (error instanceof CommandError) return false
    throw error
  }
}
