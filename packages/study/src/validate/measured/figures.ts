import { type Document, isDocument, numberAt, section } from './fields.ts'
import type { Figures, RunFigures } from './measuredRun.ts'

/** Mean and quantiles written in milliseconds, as seconds; undefined where there are none. */
export function millisecondFigures(document: unknown): Figures | undefined {
  if (!isDocument(document)) return undefined
  const figures: Figures = {}
  for (const key of ['mean', 'p50', 'p90', 'p99'] as const) {
    const value = numberAt(document, key)
    if (value !== undefined) figures[key] = value / 1000
  }
  return Object.keys(figures).length === 0 ? undefined : figures
}

/** The measured figures of a run document: `ttft_ms`, `itl_ms`, `e2e_ms` with mean and quantiles, `output_tok_s`. */
export function summaryFigures(summary: Document): RunFigures {
  const figures: RunFigures = {}
  const ttft = millisecondFigures(section(summary, 'ttft_ms'))
  const interToken = millisecondFigures(section(summary, 'itl_ms'))
  const tpot = millisecondFigures(section(summary, 'tpot_ms'))
  const e2e = millisecondFigures(section(summary, 'e2e_ms'))
  const outputTokensPerSecond = numberAt(summary, 'output_tok_s')
  if (ttft !== undefined) figures.ttft = ttft
  if (interToken !== undefined) figures.interToken = interToken
  if (tpot !== undefined) figures.tpot = tpot
  if (e2e !== undefined) figures.e2e = e2e
  if (outputTokensPerSecond !== undefined) figures.outputTokensPerSecond = outputTokensPerSecond
  return figures
}
