import type { Observer, Simulation } from '@windtunnel/orchestrator'
import { FactsHash } from '../facts/factsHash.ts'
import type { LedgerReader } from '../timeline/ledgerReader.ts'
import type { Objectives } from '../timeline/objectives.ts'
import { RequestLedger } from '../timeline/requestLedger.ts'
import type { MeasuredWindow } from './measuredWindow.ts'
import { RunFacts } from './runFacts.ts'
import type { RunLabels, RunSummary } from './runSummary.ts'
import { SummaryObserver } from './summaryObserver.ts'

/** An observer that also reads the ledger: windows of the live view, exporters. */
export type Recording = Observer & { readonly reader?: LedgerReader }

export interface RecorderOptions {
  /** Objectives by service class, in the order of the scenario. */
  objectives?: readonly Objectives[]
  /** The part of the run that the figures are about; all of it without one. */
  window?: MeasuredWindow
  /** More observers to attach; their readers share the one ledger. */
  recordings?: readonly Recording[]
  /** More readers of request timelines. */
  readers?: readonly LedgerReader[]
}

/** Attaches to a simulation what every run records: the facts hash, one ledger, the summary; and what else is asked for. */
export class RunRecorder {
  readonly hash = new FactsHash()
  readonly summary: SummaryObserver
  readonly ledger: RequestLedger
  private readonly observers: Observer[]

  constructor(options: RecorderOptions = {}) {
    const { objectives = [], window, recordings = [], readers = [] } = options
    this.summary = new SummaryObserver(objectives, window)
    const more = recordings.flatMap((recording) => (recording.reader === undefined ? [] : [recording.reader]))
    this.ledger = new RequestLedger([this.summary.reader, ...more, ...readers])
    this.observers = [new RunFacts(this.hash, this.ledger, this.summary), ...recordings]
  }

  attach(simulation: Simulation): this {
    for (const observer of this.observers) simulation.observe(observer)
    return this
  }

  /** The document of the run so far, or of the whole run once it is over. */
  document(simulation: Simulation, labels: RunLabels): RunSummary {
    const view = simulation.view()
    const figures = this.summary.figures(view.time, view)
    return {
      version: 1,
      scenario: labels.scenario,
      seed: labels.seed,
      ...figures,
      cost: labels.cost,
      warnings: labels.warnings,
      simulatorSeconds: labels.simulatorSeconds,
      factsHash: this.hash.digest(),
    }
  }
}
