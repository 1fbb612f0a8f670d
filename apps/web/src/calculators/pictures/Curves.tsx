import type { ReactNode } from 'react'
import { Figure, type FigureLine, type FigurePoint, type FigureSeries } from '../../figure/Figure.tsx'
import { axisTick } from '../axisTick.ts'

/** One curve: its height at an x, undefined where there is none. */
export interface Curve {
  label: string
  colour: string
  at: (x: number) => number | undefined
  dashed?: boolean
}

export interface CurvesProps {
  title: string
  unit?: string
  caption?: ReactNode
  xs: readonly number[]
  xLabel: string
  xUnit?: string
  /** Evenly spaced instead of by ratio. */
  linearX?: boolean
  yUnit: string | undefined
  curves: readonly Curve[]
  /** Adds the curves up, the first at the bottom. */
  stacked?: boolean
  log?: boolean
  lines?: readonly FigureLine[]
}

const seriesOf = ({ curves, xs, yUnit, xLabel, xUnit, stacked }: CurvesProps): FigureSeries[] => {
  const tick = axisTick(yUnit)
  const tickX = axisTick(xUnit)
  const floor = new Map<number, number>()
  return curves.map(({ label, colour, at, dashed }) => {
    const points: FigurePoint[] = []
    for (const x of xs) {
      const height = at(x)
      if (height === undefined) continue
      const base = stacked === true ? (floor.get(x) ?? 0) : 0
      floor.set(x, base + height)
      points.push({ x, y: base + height, base, note: `${tick(height)} at ${xLabel} ${tickX(x)}` })
    }
    return { label, colour, points, shape: stacked === true ? 'band' : 'line', ...(dashed === true ? { dashed } : {}) }
  })
}

/** Curves over one input, all computed by calculators. */
export const Curves = (props: CurvesProps) => {
  const series = seriesOf(props)
  const points = series.flatMap((one) => one.points)
  if (points.length < 2) return null
  const xs = points.map((point) => point.x)
  const ys = points.map((point) => point.y)
  const [from, to, low, high] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const log = props.log === true && low > 0
  return (
    <Figure
      title={props.title}
      {...(props.unit === undefined ? {} : { unit: props.unit })}
      x={{ label: props.xLabel, log: props.linearX !== true, from, to, tick: axisTick(props.xUnit) }}
      y={{
        label: '',
        log,
        from: log ? low * 0.8 : 0,
        to: high * (log ? 1.25 : 1.08),
        tick: axisTick(props.yUnit),
      }}
      series={series}
      lines={(props.lines ?? []).filter((line) => line.axis === 'y' || (line.value >= from && line.value <= to))}
      caption={props.caption}
    />
  )
}
