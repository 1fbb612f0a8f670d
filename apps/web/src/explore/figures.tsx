import { Figure, type FigureSeries } from '../figure/Figure.tsx'
import { duration, scaled, text, threeDigits, whole } from '../format/quantity.ts'
import { contexts } from './choice.ts'
import { batchesUpTo, type Deployment, decodePoint, mostSequences, type StepPoint } from './deployment.ts'
import { operatorPoints, roofOf } from './operators.ts'

export const plain = (value: number): string =>
  value >= 1000 ? `${Number((value / 1000).toPrecision(3))}k` : String(Number(value.toPrecision(3)))
const shades = ['var(--p50)', 'var(--p90)', 'var(--p99)']
const largestBatch = 1024

/** Three contexts around the chosen one, shortest first, of those for which at least one sequence fits. */
const contextsAround = (deployment: Deployment): number[] => {
  const index = contexts.findIndex((context) => context === deployment.choice.contextTokens)
  const first = Math.max(0, Math.min(contexts.length - 3, index - 1))
  return contexts.slice(first, first + 3).filter((context) => mostSequences(deployment, context) >= 1)
}

const curve = (deployment: Deployment, contextTokens: number): StepPoint[] =>
  batchesUpTo(Math.min(largestBatch, mostSequences(deployment, contextTokens))).map((batch) =>
    decodePoint(deployment, batch, contextTokens),
  )

const noteOf = (point: StepPoint): string =>
  `batch ${point.batch} · ${text(duration(point.seconds))} · ${threeDigits(point.tokensPerSecondPerChip)} tok/s a chip${point.usdPerMillion === undefined ? '' : ` · $${threeDigits(point.usdPerMillion)} / M tok`}`

const curves = (
  deployment: Deployment,
  y: (point: StepPoint) => number,
  x: (point: StepPoint) => number,
): FigureSeries[] =>
  contextsAround(deployment).map((context, index) => ({
    label: `${whole(context)} tokens of context`,
    colour: shades[index] ?? shades[2]!,
    points: curve(deployment, context).map((point) => ({ x: x(point), y: y(point), note: noteOf(point) })),
  }))

const extent = (
  series: readonly FigureSeries[],
  pick: (point: { x: number; y: number }) => number,
): [number, number] => {
  const values = series.flatMap((one) => one.points.map(pick))
  return values.length === 0 ? [1, 10] : [Math.min(...values), Math.max(...values)]
}

/** Latency of a token against throughput of a chip, over batch, for three contexts. */
export const LatencyThroughput = ({ deployment }: { deployment: Deployment }) => {
  const series = curves(
    deployment,
    (point) => point.tokensPerSecondPerChip,
    (point) => point.seconds * 1000,
  )
  const [fastest, slowest] = extent(series, (point) => point.x)
  const [, most] = extent(series, (point) => point.y)
  const { batch, contextTokens } = deployment.choice
  const here =
    mostSequences(deployment, contextTokens) >= batch ? decodePoint(deployment, batch, contextTokens) : undefined
  const chosen: FigureSeries[] =
    here === undefined
      ? []
      : [
          {
            label: `batch ${batch}`,
            colour: 'var(--ink)',
            shape: 'points',
            points: [{ x: here.seconds * 1000, y: here.tokensPerSecondPerChip, note: noteOf(here) }],
          },
        ]
  return (
    <Figure
      title="Latency against throughput"
      unit="output tokens/s per accelerator"
      x={{
        label: 'time per output token, ms',
        log: slowest / fastest > 6,
        from: fastest * 0.95,
        to: slowest * 1.05,
        tick: plain,
      }}
      y={{ label: '', from: 0, to: most * 1.08, tick: plain }}
      series={[...series, ...chosen]}
      caption="Each curve starts at batch 1 and ends where the KV cache is full (or at batch 1,024). Longer contexts read more KV for every token."
    />
  )
}

const stepParts = [
  ['weights', 'weights', 'var(--decode)'],
  ['kv', 'KV', 'var(--kv)'],
  ['compute', 'compute', 'var(--prefill)'],
  ['collectives', 'collectives', 'var(--transfer)'],
  ['host', 'host', 'var(--queue)'],
] as const

/** Where a step goes as the batch grows, at the chosen context. */
export const StepOverBatch = ({ deployment }: { deployment: Deployment }) => {
  const { contextTokens, batch } = deployment.choice
  const points = curve(deployment, contextTokens)
  const series = stepParts
    .map(([key, label, colour], index): FigureSeries => {
      const before = (point: StepPoint) =>
        stepParts.slice(0, index).reduce((sum, [earlier]) => sum + point.parts[earlier], 0)
      return {
        label,
        colour,
        shape: 'band',
        points: points.map((point) => ({
          x: point.batch,
          base: before(point) * 1000,
          y: (before(point) + point.parts[key]) * 1000,
          note: `${text(duration(point.parts[key]))} of ${text(duration(point.seconds))} at batch ${point.batch}`,
        })),
      }
    })
    .filter((one) => one.points.some((point) => point.y > (point.base ?? 0)))
  const last = points.at(-1)
  return (
    <Figure
      title="A step against batch"
      unit={`ms, ${whole(contextTokens)} tokens of context`}
      x={{ label: 'sequences in the step', log: true, from: 1, to: Math.max(2, last?.batch ?? 2), tick: plain }}
      y={{ label: '', from: 0, to: (last?.seconds ?? 0.001) * 1050, tick: plain }}
      series={series}
      lines={
        last !== undefined && batch <= last.batch
          ? [{ axis: 'x', value: batch, label: `batch ${batch}`, colour: 'var(--faint)' }]
          : []
      }
      caption="Reading weights costs about the same for any batch; KV grows with it. Compute takes over from weights beyond the critical batch."
    />
  )
}

/** Money for a million output tokens against batch, for three contexts. */
export const CostOverBatch = ({ deployment }: { deployment: Deployment }) => {
  if (deployment.price === undefined)
    return (
      <section className="panel figure">
        <h2>
          <b>Cost against batch</b>
        </h2>
        <p className="empty">No list price is known for {deployment.accelerator.title}: give one above.</p>
      </section>
    )
  const series = curves(
    deployment,
    (point) => point.usdPerMillion ?? 0,
    (point) => point.batch,
  )
  const [least, most] = extent(series, (point) => point.y)
  const [, largest] = extent(series, (point) => point.x)
  return (
    <Figure
      title="Cost against batch"
      unit={`$ / M tokens at $${deployment.price.toFixed(2)} a chip-hour`}
      x={{ label: 'sequences in the step', log: true, from: 1, to: Math.max(2, largest), tick: plain }}
      y={{ label: '', log: true, from: least * 0.9, to: most * 1.1, tick: plain }}
      series={series}
      caption="Decode alone, on chips that are always busy: the floor of what a token costs."
    />
  )
}

/** The operators of a layer under the roofline of the accelerator. */
export const Roofline = ({ deployment }: { deployment: Deployment }) => {
  const roof = roofOf(deployment)
  const operators = operatorPoints(deployment)
  const least = Math.min(0.5, ...operators.map((operator) => operator.intensity / 1.5))
  const most = Math.max(roof.ridge * 8, ...operators.map((operator) => operator.intensity * 1.5))
  const hues = ['var(--p50)', 'var(--decode)', 'var(--kv)', 'var(--p99)', 'var(--prefill)', 'var(--warn)']
  const roofLine: FigureSeries = {
    label: 'roof',
    colour: 'var(--ink)',
    points: [least, roof.ridge, most].map((intensity) => ({
      x: intensity,
      y: Math.min(roof.peakFlopsPerSecond, intensity * roof.bytesPerSecond),
    })),
  }
  return (
    <Figure
      title="Roofline"
      unit={`FLOP/s of one ${deployment.accelerator.title}`}
      x={{ label: 'FLOP per byte read', log: true, from: least, to: most, tick: plain }}
      y={{
        label: '',
        log: true,
        from: least * roof.bytesPerSecond,
        to: roof.peakFlopsPerSecond * 1.6,
        tick: (value) => text(scaled(value, '')).trim(),
      }}
      series={[
        roofLine,
        ...operators.map(
          (operator, index): FigureSeries => ({
            label: operator.name,
            colour: hues[index] ?? 'var(--ink)',
            shape: 'points',
            points: [
              {
                x: operator.intensity,
                y: operator.flopsPerSecond,
                note: `${threeDigits(operator.intensity)} FLOP/B, at most ${text(scaled(operator.flopsPerSecond, 'FLOP/s'))}, bound by ${operator.bound}`,
              },
            ],
          }),
        ),
      ]}
      lines={[{ axis: 'x', value: roof.ridge, label: `${threeDigits(roof.ridge)} FLOP/B`, colour: 'var(--faint)' }]}
      caption={`Left of ${threeDigits(roof.ridge)} FLOP/B memory bounds, right of it compute. Decode at batch ${deployment.choice.batch}; prefill of ${whole(deployment.choice.contextTokens)} tokens.`}
      legend
    />
  )
}
