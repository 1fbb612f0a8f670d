import { levelOf } from '../errors.ts'
import { type Quantity, quantities } from '../measured/measuredRun.ts'
import type { ValidatedRun, Validation } from '../validation.ts'
import { type Grouping, groupings } from './breakdown.ts'
import { publishedFamilies } from './publishedFamilies.ts'
import { type ValidationDocument, validationDocument } from './validationDocument.ts'
import { publishedOf, validationText } from './validationText.ts'

const SIDE = 340
const MARGIN = 52
const COLOURS = [
  ...['#2563eb', '#dc2626', '#059669', '#d97706', '#7c3aed', '#0891b2', '#be185d', '#4d7c0f', '#57534e', '#db7fc0'],
  ...['#1e3a8a', '#7f1d1d', '#a3a300', '#14b8a6', '#92400e', '#c084fc'],
]

/** What a quantity is called in a caption. */
const CAPTIONS: Readonly<Record<Quantity, string>> = {
  e2e: 'E2E',
  interToken: 'inter-token time',
  tpot: 'TPOT',
  ttft: 'TTFT',
  throughput: 'throughput',
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

interface Point {
  measured: number
  predicted: number
  group: string
  title: string
}

const STYLE = `body{font:14px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:1100px;color:#1c1917;background:#fafaf9}
h1,h2{font-weight:600}figure{display:inline-block;margin:0 1rem 1rem 0}figcaption{font-weight:600}
pre{background:#fff;border:1px solid #e7e5e4;border-radius:6px;padding:1rem;overflow-x:auto;font-size:12px}
table{border-collapse:collapse}th,td{text-align:right;padding:.15rem .7rem;border-bottom:1px solid #e7e5e4;font-variant-numeric:tabular-nums}
th:first-child,td:first-child,th:last-child,td:last-child{text-align:left}
svg text{font-size:10px;fill:#57534e}.key span{display:inline-block;margin-right:1rem}
.key i{display:inline-block;width:.7em;height:.7em;border-radius:50%;margin-right:.3em}
@media(prefers-color-scheme:dark){body{background:#1c1917;color:#e7e5e4}pre{background:#292524}pre,th,td{border-color:#44403c}svg text{fill:#a8a29e}}`

/** Predicted against measured of every run, as one page without any file beside it. */
export function validationHtml(validation: Validation): string {
  const document = validationDocument(validation)
  const text = validationText(document)
  const sections = (['serving', 'sweeps'] as const).flatMap((level) => {
    const runs = validation.runs.filter(({ run }) => run.level === level && run.unscored === undefined)
    return runs.length === 0 ? [] : [levelSection(level === 'serving' ? 'Serving runs' : 'Sweep points', runs, level)]
  })
  return `<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Predicted against measured</title>
<style>${STYLE}</style></head><body><h1>Predicted against measured</h1>
<p>Every mark is one run. On the line the prediction is exact; dashed lines are 10 % off.</p>
${sections.join('\n')}${othersSection(document)}${stepSection(validation)}<h2>Figures</h2><pre>${escaped(text)}</pre></body></html>\n`
}

function levelSection(title: string, runs: readonly ValidatedRun[], level: 'serving' | 'sweeps'): string {
  const grouping: Grouping = level === 'serving' ? 'model' : 'engine'
  const names = [...new Set(runs.map(groupings[grouping]))]
  const colour = (name: string): string => COLOURS[names.indexOf(name) % COLOURS.length]!
  const key = names.map((name) => `<span><i style="background:${colour(name)}"></i>${escaped(name)}</span>`).join('')
  const plots = quantities.map((quantity) => plot(quantity, 'mean', pointsOf(runs, quantity, grouping), colour))
  const tails = (['ttft', 'e2e'] as const).map((quantity) =>
    plot(quantity, 'p99', tailPoints(runs, quantity, grouping), colour),
  )
  return `<h2>${title}</h2><p class="key">${key}</p>${plots.join('')}${tails.join('')}`
}

function pointsOf(runs: readonly ValidatedRun[], quantity: Quantity, grouping: Grouping): Point[] {
  return runs.flatMap((one) => {
    const of = (figures: ValidatedRun['measured']): number | undefined =>
      quantity === 'throughput' ? figures.outputTokensPerSecond : levelOf(figures[quantity])
    const measured = of(one.measured)
    const predicted = of(one.predicted)
    if (!isPlotted(measured) || !isPlotted(predicted)) return []
    return [{ measured, predicted, group: groupings[grouping](one), title: `${one.run.id}, ${one.run.load}` }]
  })
}

function tailPoints(runs: readonly ValidatedRun[], quantity: 'ttft' | 'e2e', grouping: Grouping): Point[] {
  return runs.flatMap((one) => {
    const measured = one.measured[quantity]?.p99
    const predicted = one.predicted[quantity]?.p99
    if (!isPlotted(measured) || !isPlotted(predicted)) return []
    return [{ measured, predicted, group: groupings[grouping](one), title: `${one.run.id}, ${one.run.load}` }]
  })
}

/** Axes are logarithmic. */
const isPlotted = (value: number | undefined): value is number => value !== undefined && value > 0

/** A square with both axes logarithmic. */
function plot(
  quantity: Quantity,
  statistic: string,
  points: readonly Point[],
  colour: (group: string) => string,
): string {
  if (points.length === 0) return ''
  const values = points.flatMap((point) => [point.measured, point.predicted])
  const low = Math.log10(Math.min(...values)) - 0.05
  const high = Math.log10(Math.max(...values)) + 0.05
  const inner = SIDE - 2 * MARGIN
  const place = (value: number): number => (inner * (Math.log10(value) - low)) / (high - low)
  const x = (value: number): string => (MARGIN + place(value)).toFixed(1)
  const y = (value: number): string => (SIDE - MARGIN - place(value)).toFixed(1)
  const from = 10 ** low
  const to = 10 ** high
  const line = (factor: number, dash: string): string =>
    `<line x1="${x(from)}" y1="${y(from * factor)}" x2="${x(to)}" y2="${y(to * factor)}" stroke="#a8a29e"${dash}/>`
  const ticks = ticksBetween(low, high).map(
    (value) =>
      `<text x="${x(value)}" y="${SIDE - MARGIN + 14}" text-anchor="middle">${tickText(value)}</text>` +
      `<text x="${MARGIN - 6}" y="${y(value)}" text-anchor="end">${tickText(value)}</text>`,
  )
  const marks = points.map(
    (point) =>
      `<circle cx="${x(point.measured)}" cy="${y(point.predicted)}" r="3" fill="${colour(point.group)}" fill-opacity=".6">` +
      `<title>${escaped(point.title)}: measured ${point.measured.toPrecision(4)}, predicted ${point.predicted.toPrecision(4)}</title></circle>`,
  )
  const dash = ' stroke-dasharray="3 3" stroke-opacity=".6"'
  const unit = quantity === 'throughput' ? 'output tokens/s' : 's'
  return `<figure><figcaption>${CAPTIONS[quantity]}, ${statistic} (${unit})</figcaption><svg width="${SIDE}" height="${SIDE}" role="img" aria-label="predicted against measured ${CAPTIONS[quantity]}">
${line(1, '')}${line(1.1, dash)}${line(1 / 1.1, dash)}${ticks.join('')}${marks.join('')}
<text x="${SIDE / 2}" y="${SIDE - 12}" text-anchor="middle">measured</text><text x="12" y="${SIDE / 2}" transform="rotate(-90 12 ${SIDE / 2})" text-anchor="middle">predicted</text></svg></figure>`
}

function ticksBetween(low: number, high: number): number[] {
  const ticks: number[] = []
  const steps = high - low > 2 ? [1] : high - low > 0.7 ? [1, 3] : [1, 1.5, 2, 3, 5, 7]
  for (let decade = Math.floor(low); decade <= high; decade++) {
    for (const step of steps) {
      const value = step * 10 ** decade
      if (Math.log10(value) >= low && Math.log10(value) <= high) ticks.push(value)
    }
  }
  return ticks
}

const tickText = (value: number): string => String(Number(value.toPrecision(2)))

/** Serving runs one by one, beside what others published for the same run, or for runs of its kind. */
function othersSection(document: ValidationDocument): string {
  const runs = document.runs.filter((run) => run.level === 'serving' && run.unscored === undefined)
  if (runs.length === 0) return ''
  const shown = ['e2e', 'interToken', 'ttft'] as const
  const cell = (error: number | undefined, signed: boolean): string =>
    `<td>${error === undefined ? '-' : `${signed && error >= 0 ? '+' : ''}${(100 * error).toFixed(1)}`}</td>`
  const rows = runs.map((run) => {
    const own = shown.map((quantity) => cell(run.errors[quantity], true)).join('')
    return `<tr><td>${escaped(run.id)}</td>${own}<td>${escaped(publishedOf(run))}</td></tr>`
  })
  const families = publishedFamilies
    .filter((family) => family.level === 'serving')
    .map((family) => {
      const theirs = shown.map((quantity) => cell(family.errors[quantity], false)).join('')
      return `<tr><td>${escaped(family.by)} (median over such runs)</td>${theirs}<td></td></tr>`
    })
  return `<h2>Beside what others published</h2><p>Signed error of the mean, in %.</p><table>
<tr><th>run</th><th>E2E</th><th>inter-token</th><th>TTFT</th><th>others, this very run</th></tr>${rows.join('')}${families.join('')}</table>`
}

/** Error of single iterations against how many sequences decoded in them. */
function stepSection({ traces }: Validation): string {
  if (traces.length === 0) return ''
  const rows = traces.map((trace) => {
    const cell = (name: 'all' | 'decode' | 'prefill' | 'mixed'): string => {
      const found = trace.errors[name]
      const text =
        found === undefined ? '-' : `${(100 * found.medianApe).toFixed(1)} / ${(100 * found.p90Ape).toFixed(1)}`
      return `<td>${text}</td>`
    }
    const cells = (['all', 'decode', 'prefill', 'mixed'] as const).map(cell).join('')
    return `<tr><td>${escaped(trace.id)}</td>${cells}<td>${escaped(trace.unscored ?? '')}</td></tr>`
  })
  return `<h2>Iterations</h2><p>Median and 90th percentile of the absolute error, in %.</p><table>
<tr><th>trace</th><th>all</th><th>decode</th><th>prefill</th><th>mixed</th><th>not scored</th></tr>${rows.join('')}</table>`
}
