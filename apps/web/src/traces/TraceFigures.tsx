import { Figure, type FigureSeries } from '../figure/Figure.tsx'
import { duration, percent, text, threeDigits, whole } from '../format/quantity.ts'
import { bucketStart, type Inspection } from './inspection.ts'

const plain = (value: number): string =>
  value >= 1e6
    ? `${Number((value / 1e6).toPrecision(3))}M`
    : value >= 1000
      ? `${Number((value / 1000).toPrecision(3))}k`
      : String(Number(value.toPrecision(3)))

/** A staircase: two points for each bin, so that a bin has its width. */
const stairs = (
  counts: readonly number[],
  edge: (bin: number) => number,
  height: (count: number) => number,
  note: (bin: number, count: number) => string,
) =>
  counts.flatMap((count, bin) => [
    { x: edge(bin), y: height(count), note: note(bin, count) },
    { x: edge(bin + 1), y: height(count), note: note(bin, count) },
  ])

export const Arrivals = ({ inspection }: { inspection: Inspection }) => {
  const { binSeconds, counts } = inspection.arrivals
  const span = Math.max(1, counts.length * binSeconds)
  const [unit, seconds] =
    span > 7200 ? (['h', 3600] as const) : span > 300 ? (['min', 60] as const) : (['s', 1] as const)
  const points = stairs(
    counts,
    (bin) => (bin * binSeconds) / seconds,
    (count) => count / binSeconds,
    (bin, count) =>
      `${whole(count)} requests in ${text(duration(binSeconds))} from ${text(duration(bin * binSeconds))}`,
  )
  return (
    <Figure
      title="Arrivals"
      unit={`requests/s, in bins of ${text(duration(binSeconds))}`}
      x={{ label: `time since the first, ${unit}`, from: 0, to: span / seconds, tick: plain }}
      y={{ label: '', from: 0, to: Math.max(...points.map((point) => point.y), 1e-9) * 1.08, tick: plain }}
      series={[{ label: 'requests', colour: 'var(--decode)', shape: 'band', points }]}
      legend={false}
    />
  )
}

/** First whole number of tokens in a bucket. */
const firstLength = (bucket: number): number => Math.ceil(bucketStart(bucket) - 1e-9)

const lengthSeries = (label: string, colour: string, buckets: readonly number[]): FigureSeries => {
  const total = Math.max(
    1,
    buckets.reduce((sum, count) => sum + count, 0),
  )
  const points = buckets.flatMap((count, bucket) => {
    const from = firstLength(bucket)
    const to = firstLength(bucket + 1)
    // Short buckets may hold no whole number at all.
    if (from === to) return []
    const share = count / total
    const lengths = to - from === 1 ? `${whole(from)} tokens` : `${whole(from)} to ${whole(to - 1)} tokens`
    const note = `${text(percent(share))} have ${lengths}`
    return [
      { x: from, y: share * 100, note },
      { x: to, y: share * 100, note },
    ]
  })
  return { label, colour, points }
}

export const Lengths = ({ inspection }: { inspection: Inspection }) => {
  const series = [
    lengthSeries('prompts', 'var(--prefill)', inspection.inputLengths),
    lengthSeries('answers', 'var(--decode)', inspection.outputLengths),
  ]
  const points = series.flatMap((one) => one.points)
  return (
    <Figure
      title="Lengths"
      unit="% of requests by tokens"
      x={{ label: 'tokens', log: true, from: 1, to: Math.max(2, ...points.map((point) => point.x)), tick: plain }}
      y={{ label: '', from: 0, to: Math.max(...points.map((point) => point.y), 1) * 1.08, tick: plain }}
      series={series}
    />
  )
}

export const Reuse = ({ inspection }: { inspection: Inspection }) => {
  const { prefix } = inspection.summary
  if (prefix === undefined)
    return (
      <section className="panel figure" aria-label="Prefix reuse">
        <h2>
          <b>Prefix reuse</b>
        </h2>
        <p className="empty">This trace does not say what its prompts share.</p>
      </section>
    )
  const curve = prefix.lruCurve.map((point) => ({
    x: point.cacheBlocks,
    y: point.blockShare * 100,
    note: `${text(percent(point.blockShare))} of blocks with ${whole(point.cacheBlocks)} blocks of cache`,
  }))
  return (
    <Figure
      title="Prefix reuse"
      unit="% of prompt blocks found in an LRU cache"
      x={{
        label: 'cache, blocks of the trace',
        log: true,
        from: 1,
        to: Math.max(2, ...curve.map((point) => point.x)),
        tick: plain,
      }}
      y={{ label: '', from: 0, to: 100, tick: plain }}
      series={[{ label: 'found', colour: 'var(--kv)', points: curve }]}
      lines={[
        {
          axis: 'y',
          value: prefix.blockShare * 100,
          label: `endless cache: ${text(percent(prefix.blockShare))}`,
          colour: 'var(--faint)',
        },
      ]}
      caption={`An endless cache finds ${(prefix.tokenShare * 100).toFixed(2)} % of all prompt tokens; ${threeDigits(prefix.distinctBlocks)} different blocks.`}
      legend={false}
    />
  )
}
