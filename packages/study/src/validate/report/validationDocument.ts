import { type ErrorSummary, levelOf } from '../errors.ts'
import { type Quantity, quantities, type RunErrors, type RunFigures } from '../measured/measuredRun.ts'
import { type LevelSummary, summarise, summariseSteps, type ValidatedRun, type Validation } from '../validation.ts'
import { type Breakdown, breakdownOf } from './breakdown.ts'

/** Means by quantity: seconds, and output tokens per second. */
export type Levels = Partial<Record<Quantity, number>>

/** One run, or one point of a sweep, in the document. Errors are signed fractions of the measured figure. */
export interface DocumentRun {
  id: string
  level: 'serving' | 'sweeps' | 'steps'
  model: string
  accelerator: string
  engine: string
  workload: string
  load: string
  errors: RunErrors
  predicted: Levels
  measured: Levels
  /** Mean and quantiles of both sides, where measured. */
  distributions?: { predicted: RunFigures; measured: RunFigures }
  /** Errors that others published for this very run, by their name. */
  published?: Readonly<Record<string, RunErrors>>
  /** Why it is not part of `overall`. */
  unscored?: string
  remarks: string[]
}

/** What `windtunnel validate --json` prints. */
export interface ValidationDocument {
  overall: {
    serving?: LevelSummary
    sweeps?: LevelSummary
    steps?: LevelSummary & { byComposition: Record<string, ErrorSummary> }
  }
  /** As `overall`, with every run that was built and every one that was not, but for those their source rules out. */
  overallWithUnscored: { serving?: LevelSummary; sweeps?: LevelSummary }
  breakdown: { serving?: Breakdown; sweeps?: Breakdown }
  runs: DocumentRun[]
  notBuilt: { id: string; reason: string }[]
}

/** The document of a validation. Fractions, seconds, tokens per second. */
export function validationDocument(validation: Validation): ValidationDocument {
  const document: ValidationDocument = {
    overall: {},
    overallWithUnscored: {},
    breakdown: {},
    runs: [...validation.runs.map(documentRun), ...traceRuns(validation)],
    notBuilt: validation.notBuilt.map(({ id, reason }) => ({ id, reason })),
  }
  for (const level of ['serving', 'sweeps'] as const) {
    const runs = validation.runs.filter(({ run }) => run.level === level)
    const lost = validation.notBuilt.filter((entry) => entry.level === level)
    if (runs.length + lost.length === 0) continue
    document.overall[level] = summarise(runs, lost)
    document.overallWithUnscored[level] = summarise(runs, lost, isRuledOutByUs)
    document.breakdown[level] = breakdownOf(runs)
  }
  const { all, ...byComposition } = summariseSteps(validation.traces)
  if (all !== undefined) {
    document.overall.steps = {
      e2e: all,
      ...(byComposition.decode === undefined ? {} : { interToken: byComposition.decode, tpot: byComposition.decode }),
      ...(byComposition.prefill === undefined ? {} : { ttft: byComposition.prefill }),
      byComposition: { all, ...byComposition },
    }
  }
  return document
}

/** Runs whose own source says that they should not be used stay out in any case. */
const isRuledOutByUs = ({ unscored }: { unscored?: string }): boolean => !/^marked /.test(unscored ?? '')

function levelsOf(figures: RunFigures): Levels {
  const levels: Levels = {}
  for (const quantity of quantities) {
    const level = quantity === 'throughput' ? figures.outputTokensPerSecond : levelOf(figures[quantity])
    if (level !== undefined) levels[quantity] = level
  }
  return levels
}

function documentRun({ run, prediction, predicted, measured, errors }: ValidatedRun): DocumentRun {
  const { engine } = run.deployment
  return {
    id: run.id,
    level: run.level,
    model: run.deployment.model,
    accelerator: run.deployment.accelerator,
    engine: `${engine.name} ${engine.version}`,
    workload: run.workload,
    load: run.load,
    errors,
    predicted: levelsOf(predicted),
    measured: levelsOf(measured),
    ...(run.level === 'serving' ? { distributions: { predicted, measured } } : {}),
    ...(run.published === undefined ? {} : { published: run.published }),
    ...(run.unscored === undefined ? {} : { unscored: run.unscored }),
    remarks: [...run.assumptions, ...prediction.remarks],
  }
}

/** One entry for each trace: the mean iteration, predicted and measured, and the median error of single ones. */
function traceRuns({ traces }: Validation): DocumentRun[] {
  return traces.map((trace) => {
    const mean = (of: (step: (typeof trace.steps)[number]) => number): number =>
      trace.steps.reduce((sum, step) => sum + of(step), 0) / Math.max(1, trace.steps.length)
    const predicted = mean((step) => step.predicted)
    const measured = mean((step) => step.measured)
    return {
      id: trace.id,
      level: 'steps',
      model: trace.model,
      accelerator: trace.accelerator,
      engine: 'vllm',
      workload: 'iterations',
      load: `${trace.steps.length} iterations`,
      errors: { e2e: predicted / measured - 1 },
      predicted: { e2e: predicted },
      measured: { e2e: measured },
      ...(trace.unscored === undefined ? {} : { unscored: trace.unscored }),
      remarks: trace.remarks,
    }
  })
}
