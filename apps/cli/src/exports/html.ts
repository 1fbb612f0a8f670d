import type { DetailedSummary } from '@windtunnel/metrics'
import { number, percent, seconds } from '../output/format.ts'
import type { ExportKind } from './exportKind.ts'
import { chart, escapeText } from './htmlChart.ts'
import { type Stretch, Stretches } from './stretches.ts'

const LATENCIES = ['ttft', 'itl', 'tpot', 'e2e', 'queue'] as const

export const html: ExportKind = {
  name: 'html',
  description: 'a report with charts in one file that can be mailed',
  start(_run, file) {
    const collected = new Stretches()
    return { recording: collected, finish: (_recorder, summary) => file.write(page(summary, collected)) }
  },
}

function page(summary: DetailedSummary, stretches: Stretches): string {
  const title = `${summary.scenario}, seed ${summary.seed}`
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${escapeText(title)}: Windtunnel report</title><style>${STYLE}</style></head><body>
<h1>${escapeText(summary.scenario)}</h1>
<p>seed ${summary.seed}, ${seconds(summary.simulatedSeconds)} simulated, step cost ${escapeText(summary.cost.backend)}, facts ${summary.factsHash}</p>
${summary.warnings.map((warning) => `<p class="warning">${escapeText(warning)}</p>`).join('\n')}
${requestTable(summary)}
${latencyTable(summary)}
${charts(stretches)}
</body></html>
`
}

function requestTable({ requests, throughput, goodput, kv, preemptions, details }: DetailedSummary): string {
  const rows: [string, string][] = [
    ...Object.entries(requests).map(([name, count]): [string, string] => [
      `requests ${name === 'timedOut' ? 'timed out' : name}`,
      number(count),
    ]),
    ['requests per second', number(throughput.requestsPerSecond)],
    ['within their objectives', `${number(goodput)} per second`],
    ['input tokens per second', number(throughput.inputTokensPerSecond)],
    ['output tokens per second', number(throughput.outputTokensPerSecond)],
    ['KV cache at its fullest', percent(kv.peakUtilisation)],
    ['prompt tokens found in the prefix cache', percent(kv.prefixHitRate)],
    ['preemptions', number(preemptions)],
    ['load', escapeText(`${details.saturation.state}: ${details.saturation.reason}`)],
    ['accelerators busy', percent(details.utilisation?.busyShare)],
    ['MFU', percent(details.utilisation?.modelFlops)],
    ['memory bandwidth used', percent(details.utilisation?.memoryBandwidth)],
    ['US dollars per million output tokens', number(details.money?.dollarsPerMillionOutputTokens)],
    ['joules per output token, at rated power in steps', number(details.energy?.joulesInStepsPerOutputToken)],
  ]
  const body = rows.map(([name, value]) => `<tr><th>${name}</th><td>${value}</td></tr>`).join('')
  return `<table><caption>Requests</caption>${body}</table>`
}

function latencyTable(summary: DetailedSummary): string {
  const columns = ['mean', 'p50', 'p90', 'p95', 'p99', 'max'] as const
  const head = `<tr><th></th>${columns.map((name) => `<th>${name}</th>`).join('')}<th>count</th></tr>`
  const body = LATENCIES.map((name) => {
    const one = summary[name]
    return `<tr><th>${name.toUpperCase()}</th>${columns.map((column) => `<td>${seconds(one[column])}</td>`).join('')}<td>${number(one.count)}</td></tr>`
  }).join('')
  return `<table><caption>Latencies</caption>${head}${body}</table>`
}

function charts({ list, seconds: length }: Stretches): string {
  const line = (value: (stretch: Stretch) => number | undefined): [number, number | undefined][] =>
    list.map((stretch, index) => [index * length, value(stretch)])
  return [
    chart('TTFT', 's', [
      { name: 'p50', points: line(({ ttft }) => ttft.quantileSeconds(0.5)) },
      { name: 'p99', points: line(({ ttft }) => ttft.quantileSeconds(0.99)) },
    ]),
    chart('ITL', 's, mean', [
      { name: 'mean', points: line(({ gaps, gapSeconds }) => (gaps > 0 ? gapSeconds / gaps : undefined)) },
    ]),
    chart('Output', 'tokens/s', [{ name: 'output', points: line(({ outputTokens }) => outputTokens / length) }]),
    chart('Requests', 'per second', [
      { name: 'arrived', points: line(({ arrived }) => arrived / length) },
      { name: 'completed', points: line(({ completed }) => completed / length) },
    ]),
  ].join('\n')
}

const STYLE = `:root{color-scheme:light dark;--line:#8884;--a:#0b6bcb;--b:#b45f06}
body{font:14px/1.45 system-ui,sans-serif;max-width:960px;margin:24px auto;padding:0 16px;font-variant-numeric:tabular-nums}
h1{font-size:20px;margin:0 0 4px}table{border-collapse:collapse;margin:16px 0}caption{text-align:left;font-weight:600;padding:4px 0}
th,td{padding:3px 12px 3px 0;border-bottom:1px solid var(--line);text-align:right}th:first-child{text-align:left;font-weight:500}
.warning{border-left:3px solid #a86200;padding:4px 8px}figure{margin:16px 0}figcaption{font-weight:600}svg{width:100%;height:auto}
svg text{font-size:11px;fill:currentColor;opacity:.7}.a{stroke:var(--a)}.b{stroke:var(--b)}.key{font-weight:400;margin-left:10px}`
