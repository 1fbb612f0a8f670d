import { type DetailedSummary, DetailsObserver, RunRecorder } from '@windtunnel/metrics'
import type { Observer } from '@windtunnel/orchestrator/observer'
import type { DecisionListener } from '@windtunnel/orchestrator/routers/index'
import { type BuiltRun, buildRun, type OwnPolicies } from '@windtunnel/scenario/build/buildRun'
import { labelsOf } from '@windtunnel/scenario/build/labels'
import { measuredWindowOf } from '@windtunnel/scenario/build/measuredWindow'
import { detailsOptionsOf } from '@windtunnel/scenario/build/replicaProfiles'
import { runBatch, runBatchFrom } from '@windtunnel/scenario/drivers/batch'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { PacedDriver } from '@windtunnel/scenario/drivers/paced'
import { compileLargerFunctions } from '@windtunnel/study/workers/largerFunctions'
import type { StartedExport } from '../exports/exportKind.ts'
import type { ChosenExport } from '../exports/index.ts'
import { DraftFile } from '../files/draftFile.ts'
import { type LoadedScenario, openFiles } from '../input/scenarioFile.ts'
import { number } from '../output/format.ts'
import { ProgressBar } from '../output/progress.ts'
import { notesOn } from './notes.ts'

export interface RunResult {
  readonly summary: DetailedSummary
  /** Sentences that explain the figures to a person. */
  readonly notes: readonly string[]
}

export interface RunOptions {
  /** Files to write while the run goes on. */
  readonly exports: readonly ChosenExport[]
  /** Whether a terminal shows a progress bar. */
  readonly progress: boolean
  /** Virtual seconds per wall second; undefined for as fast as it goes. */
  readonly speed?: number | undefined
  /** Policies of the user's own. */
  readonly policies?: OwnPolicies
  /** Commands of a live run to repeat; at full speed only. */
  readonly replay?: readonly LoggedCommand[] | undefined
  /** Is told every choice of the routers. */
  readonly onDecision?: DecisionListener | undefined
  /** Watches the run beside the recorder. */
  readonly observers?: readonly Observer[]
}

/** Runs a scenario as fast as it goes, or at a speed, with a progress bar on a terminal. */
export async function runLoaded(loaded: LoadedScenario, options: RunOptions): Promise<RunResult> {
  const opened = await openFiles(loaded)
  const drafts: DraftFile[] = []
  try {
    const run = buildRun(loaded.scenario, opened, options.policies)
    for (const { path } of options.exports) drafts.push(new DraftFile(path))
    const result = await recorded(run, options, drafts)
    for (const draft of drafts) draft.keep()
    return result
  } catch (error) {
    for (const draft of drafts) draft.drop()
    throw error
  } finally {
    // A run can end before its trace does.
    await opened.trace?.[Symbol.asyncIterator]().return?.()
  }
}

async function recorded(run: BuiltRun, options: RunOptions, files: readonly DraftFile[]): Promise<RunResult> {
  const started = options.exports.map(({ kind }, index) => kind.start(run, files[index]!))
  const details = new DetailsObserver(detailsOptionsOf(run))
  const recorder = new RunRecorder({
    objectives: run.objectives,
    window: measuredWindowOf(run.scenario),
    recordings: [details, ...started.flatMap(({ recording }) => (recording === undefined ? [] : [recording]))],
    readers: started.flatMap(({ reader }) => (reader === undefined ? [] : [reader])),
  })
  recorder.attach(run.simulation)
  if (options.onDecision !== undefined) run.simulation.traceDecisions?.(options.onDecision)
  for (const observer of options.observers ?? []) run.simulation.observe(observer)
  const bar = new ProgressBar(process.stderr, options.progress)
  const begun = performance.now()
  await drive(run, bar, options, started)
  const simulatorSeconds = (performance.now() - begun) / 1000
  bar.clear()
  const summary = {
    ...recorder.document(run.simulation, labelsOf(run, simulatorSeconds)),
    details: details.details(recorder.summary, run.simulation.view()),
  }
  for (const one of started) await one.finish(recorder, summary)
  return { summary, notes: notesOn(run, summary) }
}

async function drive(
  run: BuiltRun,
  bar: ProgressBar,
  { speed, replay }: RunOptions,
  exports: readonly StartedExport[],
): Promise<void> {
  const { durationSeconds, maxRequests } = run.scenario.run
  const onSlice = (): void => {
    const view = run.simulation.view()
    for (const one of exports) one.sample?.(view)
    const share =
      durationSeconds !== undefined
        ? view.time / durationSeconds
        : maxRequests !== undefined
          ? view.arrived / maxRequests
          : undefined
    bar.update(share, `${number(Math.round(view.time))} s simulated, ${number(view.arrived)} requests`)
  }
  const horizon = durationSeconds === undefined ? {} : { durationSeconds }
  compileLargerFunctions()
  const sampled = exports.some(({ sample }) => sample !== undefined)
  const options = {
    onSlice,
    ...(sampled ? { sliceEvents: EVENTS_BETWEEN_SAMPLES } : {}),
    ...horizon,
    ...(replay === undefined ? {} : { replay }),
  }
  if (speed !== undefined) await drivePaced(run, speed, horizon, onSlice)
  else if (run.refill === undefined) runBatch(run.simulation, options)
  else await runBatchFrom(run.simulation, run.refill, options)
}

/** An export that samples the fleet is called so often; slices never change a run. */
const EVENTS_BETWEEN_SAMPLES = 200
const FRAME_MILLISECONDS = 20

/** Runs at a pace. The facts are those of a run as fast as it goes. */
async function drivePaced(
  run: BuiltRun,
  speed: number,
  horizon: { readonly durationSeconds?: number },
  onFrame: () => void,
): Promise<void> {
  const { refill } = run
  const driver = new PacedDriver(run.simulation, {
    clock: () => performance.now() / 1000,
    speed,
    ...horizon,
    ...(refill === undefined ? {} : { knownUntil: () => refill.knownUntil() }),
  })
  await refill?.fill()
  driver.play()
  while (!driver.ended()) {
    const caughtUp = driver.advance()
    onFrame()
    await refill?.fill()
    await new Promise((resolve) => setTimeout(resolve, caughtUp ? FRAME_MILLISECONDS : 0))
  }
}
