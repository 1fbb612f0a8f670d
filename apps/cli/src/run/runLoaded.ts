import { RunRecorder, type RunSummary } from '@windtunnel/metrics'
import { type BuiltRun, buildRun } from '@windtunnel/scenario/build/buildRun'
import { labelsOf } from '@windtunnel/scenario/build/labels'
import { runBatch, runBatchFrom } from '@windtunnel/scenario/drivers/batch'
import { type LoadedScenario, openFiles } from '../input/scenarioFile.ts'
import { number } from '../output/format.ts'
import { ProgressBar } from '../output/progress.ts'
import { RequestsCsv } from '../output/requestsCsv.ts'

export interface RunResult {
  readonly summary: RunSummary
  /** requests.csv in pieces; empty unless asked for. */
  readonly requests: readonly string[]
}

/** Runs a scenario as fast as it goes, with a progress bar on a terminal. */
export async function runLoaded(
  loaded: LoadedScenario,
  options: { readonly requests: boolean; readonly progress: boolean },
): Promise<RunResult> {
  const run = buildRun(loaded.scenario, await openFiles(loaded))
  const csv = new RequestsCsv(run.objectives.map((objective) => objective.serviceClass))
  const recorder = new RunRecorder({ objectives: run.objectives, readers: options.requests ? [csv] : [] })
  recorder.attach(run.simulation)
  const bar = new ProgressBar(process.stderr, options.progress)
  const started = performance.now()
  await drive(run, bar)
  const simulatorSeconds = (performance.now() - started) / 1000
  bar.clear()
  const summary = recorder.document(run.simulation, labelsOf(run, simulatorSeconds))
  return { summary, requests: options.requests ? csv.pieces() : [] }
}

async function drive(run: BuiltRun, bar: ProgressBar): Promise<void> {
  const { durationSeconds, maxRequests } = run.scenario.run
  const onSlice = (): void => {
    const view = run.simulation.view()
    const share =
      durationSeconds !== undefined
        ? view.time / durationSeconds
        : maxRequests !== undefined
          ? view.arrived / maxRequests
          : undefined
    bar.update(share, `${number(Math.round(view.time))} s simulated, ${number(view.arrived)} requests`)
  }
  const options = { onSlice, ...(durationSeconds === undefined ? {} : { durationSeconds }) }
  if (run.refill === undefined) runBatch(run.simulation, options)
  else await runBatchFrom(run.simulation, run.refill, options)
}
