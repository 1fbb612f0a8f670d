import type { RunSummary } from '@windtunnel/metrics'
import { number, percent, seconds } from '../output/format.ts'
import type { ExportKind } from './exportKind.ts'
import { chart, escapeText } from './htmlChart.ts'
import { quantile, Series, type SeriesPoint } from './series.ts'

const LATENCIES = ['ttft', 'itl', 'tpot', 'e2e', 'queue'] as const
/** Points drawn on one chart; longer runs are drawn in stretches of several seconds. */
const MOST_POINTS = 400

export const html: ExportKind = {
  name: 'html',
  description: 'a report with charts in one file that can be mailed',
  start(_run, file) {
    const collected = new Series()
    return { recording: collected, finish: (_recorder, summary) => file.write(page(summary, collected.points)) }
  },
}

function page(summary: RunSummary, points: readonly SeriesPoint[]): string {
  const title = `${summary.scenario}, seed ${summary.seed}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}: Windtunnel report</title><style>${STYLE}</style></head><body>
<h1>${escapeText(summary.scenario)}</h1>
<p>seed ${summary.seed}, ${seconds(summary.simulatedSeconds)} simulated, step cost ${escapeText(summary.cost.backend)}, facts ${summary.factsHash}</p>
${summary.warnings.map((warning) => `<p class="warning">${escapeText(warning)}</p>`).join('\n')}
${requestTable(summary)}
${latencyTable(summary)}
${charts(points)}
</body></html>
`
}

function requestTable({ requests, throughput, goodput, kv, preemptions }: RunSummary): string {
  const rows: [string, string][] = [
    ...Object.entries(requests).map(([name, count]): [string, string] => [`requests ${name}`, number(count)]),
    ['requests per second', number(throughput.requestsPerSecond)],
    ['within their objectives', `${number(goodput)} per second`],
    ['input tokens per second', number(throughput.inputTokensPerSecond)],
    ['output tokens per second', number(throughput.outputTokensPerSecond)],
    ['KV cache at its fullest', percent(kv.peakUtilisation)],
    ['prompt tokens found in the prefix cache', percent(kv.prefixHitRate)],
    ['preemptions', number(preemptions)],
  ]
  const body = rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')
  return `<table><caption>Requests</caption>${body}</table>`
}

function latencyTable(summary: RunSummary): string {
  const columns = ['mean', 'p50', 'p90', 'p95', 'p99', 'max'] as const
  const head = `<tr><th></th>${columns.map((name) => `<th>${name}</th>`).join('')}<th>count</th></tr>`
  const body = LATENCIES.map((name) => {
    const one = summary[name]
    return `<tr><th>${name.toUpperCase()}</th>${columns.map((column) => `<td>${seconds(one[column])}</td>`).join('')}<td>${number(one.count)}</td></tr>`
  }).join('')
  return `<table><caption>Latencies</caption>${head}${body}</table>`
}

function charts(points: readonly SeriesPoint[]): string {
  const stretch = Math.max(1, Math.ceil(points.length / MOST_POINTS))
  const merged: { time: number; point: SeriesPoint }[] = []
  for (let from = 0; from < points.length; from += stretch)
    merged.push({ time: from, point: merge(points.slice(from, from + stretch)) })
  const line = (value: (point: SeriesPoint) => number | undefined): [number, number | undefined][] =>
    merged.map(({ time, point }) => [time, value(point)])
  return [
    chart('TTFT', 's', [
      { name: 'p50', points: line(({ ttft }) => quantile(ttft, 0.5)) },
      { name: 'p99', points: line(({ ttft }) => quantile(ttft, 0.99)) },
    ]),
    chart('ITL', 's, mean', [
      { name: 'mean', points: line(({ gaps, gapSeconds }) => (gaps > 0 ? gapSeconds / gaps : undefined)) },
    ]),
    chart('Output', 'tokens/s', [{ name: 'output', points: line(({ outputTokens }) => outputTokens / stretch) }]),
    chart('Requests', 'per second', [
      { name: 'arrived', points: line(({ arrived }) => arrived / stretch) },
      { name: 'completed', points: line(({ completed }) => completed / stretch) },
    ]),
  ].join('\n')
}

function merge(points: readonly SeriesPoint[]): SeriesPoint {
  const sum = (value: (point: SeriesPoint) => number): number =>
    points.reduce((total, point) => total + value(point), 0)
  return {
    arrived: sum((point) => point.arrived),
    completed: sum((point) => point.completed),
    outputTokens: sum((point) => point.outputTokens),
    gapSeconds: sum((point) => point.gapSeconds),
    gaps: sum((point) => point.gaps),
    ttft: points.flatMap((point) => point.ttft),
  }
}

const STYLE = `:root{color-scheme:light dark;--line:#8884;--a:#0b6bcb;--b:#b45f06}
body{font:14px/1.45 system-ui,sans-serif;max-width:960px;margin:24px auto;padding:0 16px;font-variant-numeric:tabular-nums}
h1{font-size:20px;margin:0 0 4px}table{border-collapse:collapse;margin:16px 0}caption{text-align:left;font-weight:600;padding:4px 0}
th,td{padding:3px 12px 3px 0;border-bottom:1px solid var(--line);text-align:right}th:first-child{text-align:left;font-weight:500}
.warning{border-left:3px solid #a86200;padding:4px 8px}figure{margin:16px 0}figcaption{font-weight:600}svg{width:100%;height:auto}
svg text{font-size:11px;fill:currentColor;opacity:.7}.a{stroke:var(--a)}.b{stroke:var(--b)}.key{font-weight:400;margin-left:10px}`
