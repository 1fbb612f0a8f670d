import type { Frame } from '@windtunnel/protocol'
import { useState } from 'react'
import { Figure, type FigureSeries } from '../figure/Figure.tsx'
import { duration, text, threeDigits } from '../format/quantity.ts'

export const variantColours = ['var(--decode)', 'var(--prefill)', 'var(--kv)', 'var(--transfer)']

interface Line {
  title: string
  unit: string
  value: (frame: Frame) => number | undefined
  show: (value: number) => string
}

const lines: readonly Line[] = [
  { title: 'TTFT p99', unit: 's', value: (frame) => frame.ttft?.p99, show: (value) => text(duration(value)) },
  {
    title: 'ITL p99',
    unit: 'ms',
    value: (frame) => (frame.itl === undefined ? undefined : frame.itl.p99 * 1000),
    show: (value) => `${threeDigits(value)} ms`,
  },
  {
    title: 'Output',
    unit: 'tokens/s',
    value: (frame) => frame.outputTokensPerSecond,
    show: (value) => `${threeDigits(value)} tok/s`,
  },
  {
    title: 'Waiting',
    unit: 'requests',
    value: (frame) => frame.waiting,
    show: (value) => `${threeDigits(value)} requests`,
  },
  { title: 'Running batch', unit: 'sequences per replica', value: (frame) => frame.batch, show: threeDigits },
  { title: 'KV use', unit: '%', value: (frame) => frame.kvUse * 100, show: (value) => `${threeDigits(value)} %` },
]

const tick = (value: number): string => (value >= 10_000 ? `${value / 1000}k` : String(Number(value.toPrecision(3))))

/** Frames of one run under a name. */
export interface NamedFrames {
  label: string
  frames: readonly Frame[]
}

const seriesOf = (runs: readonly NamedFrames[], line: Line): FigureSeries[] =>
  runs.map(({ label, frames }, index) => ({
    label,
    colour: variantColours[index] ?? 'var(--ink)',
    points: frames.flatMap((frame) => {
      const value = line.value(frame)
      return value === undefined ? [] : [{ x: frame.time, y: value, note: line.show(value) }]
    }),
  }))

/** Runs over virtual time, with one cursor over all figures. */
export const SeriesFigures = ({ series: runs }: { series: readonly NamedFrames[] }) => {
  const [cursor, setCursor] = useState<number | undefined>(undefined)
  return (
    <div className="figures thirds">
      {lines.map((line) => {
        const series = seriesOf(runs, line)
        const points = series.flatMap((one) => one.points)
        const end = Math.max(1, ...points.map((point) => point.x))
        const top = Math.max(1e-3, ...points.map((point) => point.y)) * 1.08
        return (
          <Figure
            key={line.title}
            title={line.title}
            unit={line.unit}
            height={190}
            x={{ label: 'virtual time, s', from: 0, to: end, tick }}
            y={{ label: '', from: 0, to: top, tick }}
            series={series}
            cursor={{ at: cursor, move: setCursor }}
          />
        )
      })}
    </div>
  )
}
