import { RunRecorder } from '@windtunnel/metrics/summary/runRecorder'
import type { RunSummary } from '@windtunnel/protocol'
import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { labelsOf } from '@windtunnel/scenario/build/labels'
import { runBatch, runBatchFrom } from '@windtunnel/scenario/drivers/batch'
import { readScenario } from '@windtunnel/scenario/schema/decode'

/**
 * Runs the text of a scenario to its end as fast as it goes; the same figures and facts hash as on any other platform.
 * Throws a ScenarioError or a BuildError with a sentence for the user.
 */
export const runToEnd = async (text: string, seed: number | undefined): Promise<RunSummary> => {
  const overrides = seed === undefined ? [] : [{ path: ['seed'], value: seed }]
  const run = buildRun(readScenario(text, 'scenario', overrides))
  const recorder = new RunRecorder({ objectives: run.objectives })
  recorder.attach(run.simulation)
  const { durationSeconds } = run.scenario.run
  const options = durationSeconds === undefined ? {} : { durationSeconds }
  const started = performance.now()
  if (run.refill === undefined) runBatch(run.simulation, options)
  else await runBatchFrom(run.simulation, run.refill, options)
  return recorder.document(run.simulation, labelsOf(run, (performance.now() - started) / 1000))
}
