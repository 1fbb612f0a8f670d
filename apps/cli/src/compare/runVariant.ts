import type { ComparedRun } from '@windtunnel/study/compare/figures'
import { RunProbe } from '@windtunnel/study/compare/runProbe'
import { type NamedPolicy, policiesNamed } from '../input/policyFile.ts'
import type { LoadedScenario } from '../input/scenarioFile.ts'
import { runLoaded } from '../run/runLoaded.ts'

/** One run of a comparison, as it goes to the thread that does it. */
export interface VariantTask extends LoadedScenario {
  /** What the variant is called. */
  readonly name: string
  /** Policies of the user's own: functions cannot go to a thread, which loads them from their files. */
  readonly policies: readonly NamedPolicy[]
}

/** One run of a comparison. What cannot be built is told with the name of its variant. */
export async function runVariant(task: VariantTask): Promise<ComparedRun> {
  const probe = new RunProbe(task.scenario.fleet)
  const policies = await policiesNamed(task.policies)
  try {
    const { summary } = await runLoaded(task, { exports: [], progress: false, observers: [probe], policies })
    return { summary, probe: probe.result() }
  } catch (error) {
    if (error instanceof Error && '_tag' in error) error.message = `${task.name}: ${error.message}`
    throw error
  }
}
