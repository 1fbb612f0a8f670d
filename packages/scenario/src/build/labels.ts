import type { RunLabels } from '@windtunnel/metrics/summary/runSummary'
import type { BuiltRun } from './buildRun.ts'

/** Says which request waits, and for what, when nothing can move any more. */
function stuckWords(run: BuiltRun): string[] {
  const stuck = run.simulation.stuck?.()
  return stuck === undefined ? [] : [`no progress: ${stuck}`]
}

/** What the document of a run says about the scenario; `simulatorSeconds` is the wall time of the simulation alone. */
export const labelsOf = (run: BuiltRun, simulatorSeconds: number): RunLabels => ({
  scenario: run.scenario.name,
  seed: run.scenario.seed,
  cost: {
    backend: run.scenario.cost.backend,
    extrapolated: run.pools.some((parts) => parts.cost.extrapolations.length > 0),
  },
  warnings: [...run.warnings, ...run.remarks(), ...stuckWords(run)],
  simulatorSeconds,
})
