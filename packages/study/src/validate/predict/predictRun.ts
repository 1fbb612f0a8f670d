import { copyTime, type Time, zeroTime } from '@windtunnel/des'
import { createSimulation } from '@windtunnel/orchestrator'
import type { MeasuredRun, RunFigures } from '../measured/measuredRun.ts'
import { requirePlausible } from '../measured/plausible.ts'
import { ClosedLoopSource } from '../replay/closedLoopSource.ts'
import { ReplaySource } from '../replay/replaySource.ts'
import { RequestTimes } from './requestTimes.ts'
import { servingSystem } from './servingSystem.ts'
import type { Tuning } from './tuning.ts'

/** What the simulation of a measured run gave. */
export interface Prediction {
  figures: RunFigures
  requests: number
  preemptions: number
  /** Share of prompt tokens found in the prefix cache. */
  cachedShare: number
  kvBlocks: number
  engine: string
  remarks: readonly string[]
}

const FOREVER: Time = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

/** Simulates a measured run. Throws where it cannot be built, and when requests were left unserved. */
export function predictRun(run: MeasuredRun, tuning: Tuning = {}): Prediction {
  requirePlausible(run)
  const system = servingSystem(run, tuning)
  const { traffic } = run
  const source = traffic.kind === 'replay' ? new ReplaySource(traffic.requests) : new ClosedLoopSource(traffic, 1)
  const simulation = createSimulation({ ...system.config, source })
  const times = new RequestTimes()
  simulation.observe(times)
  const next = zeroTime()
  while (simulation.nextEventAt(next)) if (simulation.runUntil(copyTime(zeroTime(), FOREVER), 100_000) === 0) break
  const stuck = simulation.stuck?.()
  if (stuck !== undefined) throw new Error(stuck)
  if (times.unserved > 0) throw new Error(`${times.unserved} requests were refused or failed in the simulation`)
  return {
    figures: times.figures(run.coldRequests, run.interToken),
    requests: simulation.view().completed,
    preemptions: times.preemptions,
    cachedShare: times.queriedTokens > 0 ? times.cachedTokens / times.queriedTokens : 0,
    kvBlocks: system.kvBlocks,
    engine: system.engine,
    remarks: system.remarks,
  }
}
