import { layoutOf } from '@windtunnel/cost/step/layout'
import { type Document, isDocument, list, needNumber, needText, numberAt, section, textAt } from './fields.ts'
import type { MeasuredRun, RunFigures } from './measuredRun.ts'
import { MeasuredRunError } from './measuredRunError.ts'
import { engineName } from './servingRun.ts'

/** A sweep written as one document of the run schema: `measured.points` with isl, osl, concurrency, quantiles. */
export function jsonSweep(document: Document, where: string): MeasuredRun[] {
  const id = needText(document, 'id', where)
  const points = list(section(document, 'measured'), 'points').filter(isDocument)
  if (points.length === 0) throw new MeasuredRunError(where, 'has no measured.points')
  const parallelism = section(document, 'parallelism')
  const degree = (key: string): number => numberAt(parallelism, key) ?? 1
  const engine = section(document, 'engine')
  const version = textAt(engine, 'version')
  const known = version !== undefined && /^\d/.test(version)
  const precision = needText(section(document, 'model'), 'precision', where)
  const model = needText(section(document, 'model'), 'id', where)
  const isExperimental = list(document, 'notes').some((note) => /experimental/.test(String(note)))
  return points.map((point): MeasuredRun => {
    const users = needNumber(point, 'concurrency', id)
    const inputTokens = needNumber(point, 'isl', id)
    const outputTokens = needNumber(point, 'osl', id)
    return {
      id,
      level: 'sweeps',
      family: textAt(document, 'family') ?? 'sweep',
      workload: `${inputTokens} in, ${outputTokens} out`,
      load: `${users} users`,
      deployment: {
        model,
        accelerator: needText(section(document, 'hardware'), 'gpu', where).replace(/\s*\(.*\)$/, ''),
        precision: precision.toLowerCase() === 'fp8' && /minimax|qwen|deepseek/i.test(model) ? 'fp8_block' : precision,
        pool: {
          replicas: 1,
          layout: layoutOf({ tp: degree('tp'), pp: degree('pp'), dp: degree('dp'), ep: degree('ep') }),
        },
        engine: {
          name: engineName(needText(engine, 'name', where)),
          version: known ? version : '99',
          prefixCache: true,
        },
        greedy: true,
        clock: 'client',
      },
      traffic: {
        kind: 'closedLoop',
        users,
        requests: numberAt(point, 'n_prompts') ?? numberAt(point, 'n') ?? 10 * users,
        inputTokens,
        outputTokens,
        leastShare: 1,
        outputJitter: 0.1,
      },
      measured: pointFigures(point),
      interToken: 'perRequest',
      coldRequests: 0,
      ...(isExperimental ? { unscored: 'called experimental by its source; TTFT falls where prompts grow' } : {}),
      assumptions: known ? [] : ['version of the engine unknown: the newest overheads known'],
    }
  })
}

function pointFigures(point: Document): RunFigures {
  const figures: RunFigures = {}
  for (const [quantity, name] of [
    ['ttft', 'ttft'],
    ['tpot', 'tpot'],
    ['e2e', 'e2e'],
  ] as const) {
    const of = (statistic: string): number | undefined => numberAt(point, `${name}_${statistic}_ms`)
    const mean = of('mean')
    const p50 = of('p50')
    const p99 = of('p99')
    if (mean === undefined && p50 === undefined) continue
    figures[quantity] = {
      ...(mean === undefined ? {} : { mean: mean / 1000 }),
      ...(p50 === undefined ? {} : { p50: p50 / 1000 }),
      ...(p99 === undefined ? {} : { p99: p99 / 1000 }),
    }
  }
  const rate = numberAt(point, 'output_tok_s')
  if (rate !== undefined) figures.outputTokensPerSecond = rate
  return figures
}
