import type { RunSummary } from '@windtunnel/protocol'
import type { Playing } from './playing.ts'
import { type WrittenCommand, written } from './writtenCommand.ts'

/** The document of the run so far. */
export function summaryOf({ recorder, details, prepared, simulatorSeconds }: Playing): RunSummary {
  const { facts, simulation } = prepared
  const summary = recorder.document(simulation, {
    scenario: facts.name,
    seed: facts.seed,
    cost: { backend: facts.backend, extrapolated: prepared.extrapolated },
    warnings: facts.warnings,
    simulatorSeconds,
  })
  return details === undefined ? summary : { ...summary, details: details.details(recorder.summary, simulation.view()) }
}

/** The page that a Prometheus server would scrape from the simulated fleet. */
export const metricsOf = ({ vllm, recorder, prepared }: Playing): string =>
  vllm.page(prepared.facts.model, recorder.summary, prepared.simulation.view())

/** Seed and commands with their virtual times: with the scenario they give the run again. */
export const logOf = ({ prepared, driver }: Playing): { seed: number; commands: WrittenCommand[] } => ({
  seed: prepared.facts.seed,
  commands: driver.log.map(written),
})
