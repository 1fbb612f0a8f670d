import type { LengthSummary, TraceCounts, TraceSummary } from '@windtunnel/workload/traces/index'
import * as Command from 'effect/cli/Command'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'
import { type TraceChoices, traceArgument, traceFlags } from '../trace/traceFlags.ts'

type Input = TraceChoices & { readonly json: boolean }

export const traceInspect = Command.make(
  'inspect',
  { file: traceArgument, ...traceFlags, json: jsonFlag },
  action(async (input: Input) => {
    const { TraceInspector } = await import('@windtunnel/workload/traces/index')
    const { openTrace } = await import('../trace/traceRows.ts')
    const { print, printJson } = await import('../output/print.ts')
    const inspector = new TraceInspector()
    const trace = openTrace(input)
    for await (const row of trace.rows) inspector.add(row)
    const summary = inspector.summary()
    if (input.json) return printJson({ format: trace.format(), counts: trace.counts, ...summary })
    await print(await shown(input.file, trace.format() ?? 'unknown', trace.counts, summary))
  }),
).pipe(
  Command.withDescription('Rows, span, rate, burstiness, lengths, sessions, and what a prefix cache would find.'),
  Command.withExamples([{ command: 'windtunnel trace inspect trace.jsonl --json', description: 'For a program' }]),
)

async function shown(file: string, format: string, counts: TraceCounts, summary: TraceSummary): Promise<string> {
  const { number, percent, seconds } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const { prefix } = summary
  const facts: string[][] = [
    ['rows', number(summary.rows)],
    ['with a time', number(summary.timedRows)],
    ['span', seconds(summary.spanSeconds)],
    ['rate', `${number(summary.requestsPerSecond)} req/s`],
    ['interarrival CV', number(summary.interarrivalCv)],
    ['longest gap', seconds(summary.longestGapSeconds)],
    ['instants', number(summary.instants)],
    ['sessions', number(summary.sessions)],
  ]
  if (counts.badRows > 0) facts.push(['bad rows skipped', number(counts.badRows)])
  if (counts.zeroRows > 0) facts.push(['rows of 0 tokens left out', number(counts.zeroRows)])
  const lengthRow = (name: string, one: LengthSummary): string[] => [
    name,
    ...[one.minimum, one.mean, one.p50, one.p90, one.p99, one.maximum, one.total].map((value) => number(value, 6)),
  ]
  const lengths = table(
    ['tokens', ...['min', 'mean', 'p50', 'p90', 'p99', 'max', 'total'].map((name) => right(name))],
    [lengthRow('input', summary.input), lengthRow('output', summary.output)],
  )
  const parts = [`${file} (${format})`, table(['', right('')], facts), lengths]
  if (prefix !== undefined) {
    const curve = prefix.lruCurve.map((point) => [number(point.cacheBlocks), percent(point.blockShare)])
    parts.push(
      `prefix reuse with a cache of unlimited size: ${percent(prefix.blockShare)} of ${number(prefix.blocks)} blocks, ${percent(prefix.tokenShare)} of prompt tokens (the last token of a prompt is always computed)`,
      table([right('LRU cache, blocks'), right('blocks found')], curve),
    )
  }
  for (const problem of counts.problems) parts.push(`skipped: ${problem}`)
  return parts.join('\n\n')
}
