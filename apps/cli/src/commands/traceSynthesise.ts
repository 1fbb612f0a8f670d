import type { Fitted, TraceFit } from '@windtunnel/workload/traces/index'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'
import { type TraceChoices, traceArgument, traceFlags } from '../trace/traceFlags.ts'

type Input = TraceChoices & { readonly json: boolean; readonly seed: number }

export const traceSynthesise = Command.make(
  'synthesise',
  {
    file: traceArgument,
    seed: Flag.Int('seed').pipe(Flag.withDescription('Seed of the draws that measure the fit.'), Flag.withDefault(1)),
    ...traceFlags,
    json: jsonFlag,
  },
  action(async (input: Input) => {
    const { TraceFitter } = await import('@windtunnel/workload/traces/index')
    const { openTrace } = await import('../trace/traceRows.ts')
    const { print, printJson } = await import('../output/print.ts')
    const fitter = new TraceFitter()
    const trace = openTrace(input)
    for await (const row of trace.rows) fitter.add(row)
    const fit = fitter.fit(input.seed)
    if (input.json) return printJson(fit)
    await print(await shown(fit))
  }),
).pipe(
  Command.withDescription('Fit a generator to a trace: a traffic section for a scenario file, and how well it fits.'),
)

async function shown(fit: TraceFit): Promise<string> {
  const { stringify } = await import('yaml')
  const { number } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const rows = (what: string, candidates: readonly Fitted[]): string[][] =>
    candidates.map(({ part, distance }, place) => [place === 0 ? what : '', part.name, number(distance, 3)])
  const distances = table(
    ['', 'candidate', right('distance')],
    [...rows('arrivals', fit.arrivals), ...rows('input', fit.input), ...rows('output', fit.output)],
  )
  const notes = fit.remarks.map((remark) => `# ${remark}`)
  if (fit.lengthCorrelation !== undefined) {
    notes.push(
      `# input and output lengths correlate by ${number(fit.lengthCorrelation, 3)} in the trace; here they are drawn apart`,
    )
  }
  const quoted = distances.split('\n').map((line) => `# ${line}`.trimEnd())
  const head = ['# Kolmogorov-Smirnov distances (0 is alike, 1 has nothing in common):', ...quoted, ...notes]
  return `${head.join('\n')}\n${stringify({ traffic: fit.stream }).trimEnd()}`
}
