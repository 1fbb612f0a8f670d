import type { ComparedRun } from '@windtunnel/study/compare/figures'
import { RunProbe } from '@windtunnel/study/compare/runProbe'
import type { LoadedScenario } from '../input/scenarioFile.ts'
import { runLoaded } from '../run/runLoaded.ts'

/** One run of a comparison. */
export async function runVariant(loaded: LoadedScenario): Promise<ComparedRun> {
  const probe = new RunProbe(loaded.scenario.fleet)
  const { summary } = await runLoaded(loaded, { exports: [], progress: false, observers: [probe] })
  return { summary, probe: probe.result() }
}
