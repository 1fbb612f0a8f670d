import type { DetailedSummary, LedgerReader, Recording, RunRecorder } from '@windtunnel/metrics'
import type { SimulationView } from '@windtunnel/orchestrator'
import type { BuiltRun } from '@windtunnel/scenario/build/buildRun'
import type { DraftFile } from '../files/draftFile.ts'

/** An export at work during one run. */
export interface StartedExport {
  readonly recording?: Recording
  readonly reader?: LedgerReader
  /** Called now and then while the run goes on. */
  sample?(view: SimulationView): void
  /** The run is over: writes what is left to write. */
  finish(recorder: RunRecorder, summary: DetailedSummary): void | Promise<void>
}

/** A kind of file that `run --export` writes. */
export interface ExportKind {
  readonly name: string
  readonly description: string
  start(run: BuiltRun, file: DraftFile): StartedExport
}
