import { type LevelSummary, summarise, type ValidatedRun } from '../validation.ts'

/** What runs are grouped by. */
export const groupings = {
  model: (run: ValidatedRun) => run.run.deployment.model,
  accelerator: (run: ValidatedRun) => run.run.deployment.accelerator,
  engine: (run: ValidatedRun) => {
    const { name } = run.run.deployment.engine
    const mode = run.run.deployment.prefillPool === undefined ? '' : ', disaggregated'
    return name === run.prediction.engine ? `${name}${mode}` : `${name} under ${run.prediction.engine}${mode}`
  },
  workload: (run: ValidatedRun) => run.run.workload,
  load: (run: ValidatedRun) => run.run.load,
} as const

export type Grouping = keyof typeof groupings
export type Breakdown = Record<Grouping, Record<string, LevelSummary>>

/** Errors of the runs of one level, grouped in every way. Only runs that were built: what was not has no engine. */
export function breakdownOf(runs: readonly ValidatedRun[]): Breakdown {
  const by = (groupOf: (run: ValidatedRun) => string): Record<string, LevelSummary> => {
    const groups = new Map<string, ValidatedRun[]>()
    for (const run of runs) {
      const name = groupOf(run)
      groups.set(name, [...(groups.get(name) ?? []), run])
    }
    const summaries = [...groups].map(([name, group]) => [name, summarise(group)] as const)
    return Object.fromEntries(summaries.filter(([, summary]) => Object.keys(summary).length > 0))
  }
  return {
    model: by(groupings.model),
    accelerator: by(groupings.accelerator),
    engine: by(groupings.engine),
    workload: by(groupings.workload),
    load: by(groupings.load),
  }
}
