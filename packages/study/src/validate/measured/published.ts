import { type Document, isDocument, list, numberAt } from './fields.ts'
import type { Quantity, RunErrors, RunFigures } from './measuredRun.ts'

/** Titles of rows in a table of another simulator, and the quantity that each is of. */
const ROWS: readonly (readonly [string, Quantity])[] = [
  ['TTFT Mean', 'ttft'],
  ['TPOT Mean', 'tpot'],
  ['Latency Mean', 'e2e'],
]

/**
 * Errors that other simulators published for this very run, by their name, as signed fractions of what was measured: from
 * tables `peer_NAME_sim_vs_vllm` (measured, simulated, error) and from figures under `peers`. Empty where there are none.
 */
export function publishedErrors(document: Document, measured: RunFigures): Record<string, RunErrors> {
  const found: Record<string, RunErrors> = {}
  for (const [key, value] of Object.entries(document)) {
    const name = /^peer_(.+)_sim_vs_vllm$/.exec(key)?.[1]
    if (name !== undefined && isDocument(value)) keep(found, name, errorsOfTable(value))
  }
  const { peers } = document
  if (!isDocument(peers)) return found
  for (const [name, figures] of Object.entries(peers))
    if (isDocument(figures)) keep(found, name, errorsOfFigures(figures, measured))
  return found
}

function keep(found: Record<string, RunErrors>, name: string, errors: RunErrors): void {
  if (Object.keys(errors).length > 0) found[name] = errors
}

function errorsOfTable(table: Document): RunErrors {
  const errors: RunErrors = {}
  for (const [row, quantity] of ROWS) {
    const [measured, simulated] = list(table, row).map(Number)
    if (measured !== undefined && simulated !== undefined && measured > 0 && Number.isFinite(simulated))
      errors[quantity] = simulated / measured - 1
  }
  return errors
}

function errorsOfFigures(figures: Document, measured: RunFigures): RunErrors {
  const errors: RunErrors = {}
  const compare = (quantity: Quantity, theirs: number | undefined, truth: number | undefined): void => {
    if (theirs !== undefined && truth !== undefined && truth > 0) errors[quantity] = theirs / truth - 1
  }
  const seconds = (key: string): number | undefined => {
    const milliseconds = numberAt(figures, key)
    return milliseconds === undefined ? undefined : milliseconds / 1000
  }
  compare('ttft', seconds('mean_ttft_ms'), measured.ttft?.mean)
  compare('tpot', seconds('mean_tpot_ms'), (measured.tpot ?? measured.interToken)?.mean)
  compare('throughput', numberAt(figures, 'throughput_tok_s'), measured.outputTokensPerSecond)
  return errors
}
