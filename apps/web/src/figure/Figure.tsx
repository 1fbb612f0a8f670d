import { type PointerEvent, type ReactNode, useId, useRef, useState } from 'react'
import { type Axis, type AxisSpec, axisOf } from './axis.ts'
import { useWidth } from './useWidth.ts'

export interface FigurePoint {
  x: number
  y: number
  /** Lower edge, for the bands of a stacked figure. */
  base?: number
  /** What the point says when it is pointed at. */
  note?: string
}

export interface FigureSeries {
  label: string
  /** A CSS colour. */
  colour: string
  points: readonly FigurePoint[]
  shape?: 'line' | 'band' | 'points'
  dashed?: boolean
}

/** A dashed line across the figure, with its words. */
export interface FigureLine {
  axis: 'x' | 'y'
  value: number
  label: string
  colour?: string
}

export interface FigureProps {
  title: string
  unit?: string
  x: AxisSpec
  y: AxisSpec
  series: readonly FigureSeries[]
  lines?: readonly FigureLine[]
  /** One sentence under the figure: what to see in it. */
  caption?: ReactNode
  height?: number
  legend?: boolean
  /** How many series the key names; all when absent. */
  inKey?: number
  /** One cursor over several figures: every series then reads out where it stands. */
  cursor?: { at: number | undefined; move: (x: number | undefined) => void }
}

const margin = { left: 50, right: 12, top: 10, bottom: 34 }

const pathOf = (points: readonly FigurePoint[], x: Axis, y: Axis): string =>
  points
    .map(
      (point, index) => `${index === 0 ? 'M' : 'L'}${x.position(point.x).toFixed(1)} ${y.position(point.y).toFixed(1)}`,
    )
    .join('')

const bandOf = (points: readonly FigurePoint[], x: Axis, y: Axis): string =>
  `${pathOf(points, x, y)}${points
    .toReversed()
    .map((point) => `L${x.position(point.x).toFixed(1)} ${y.position(point.base ?? 0).toFixed(1)}`)
    .join('')}Z`

const Series = ({ series, x, y }: { series: FigureSeries; x: Axis; y: Axis }) => {
  const { shape = 'line', points, colour } = series
  if (shape === 'band') return <path d={bandOf(points, x, y)} fill={colour} opacity="0.85" />
  if (shape === 'points')
    return points.map((point) => (
      <circle
        key={`${point.x}/${point.y}`}
        cx={x.position(point.x)}
        cy={y.position(point.y)}
        r="4.5"
        fill={colour}
        stroke="var(--panel)"
        strokeWidth="1.5"
      />
    ))
  return (
    <path
      d={pathOf(points, x, y)}
      fill="none"
      stroke={colour}
      strokeWidth="1.8"
      strokeLinejoin="round"
      strokeDasharray={series.dashed === true ? '5 4' : undefined}
    />
  )
}

const Axes = ({
  x,
  y,
  xSpec,
  ySpec,
  width,
  height,
}: {
  x: Axis
  y: Axis
  xSpec: AxisSpec
  ySpec: AxisSpec
  width: number
  height: number
}) => (
  <g className="axes">
    {y.ticks.map((tick) => (
      <g key={tick} transform={`translate(0 ${y.position(tick).toFixed(1)})`}>
        <line x1={margin.left} x2={width - margin.right} />
        <text x={margin.left - 6} dy="3.5" textAnchor="end">
          {ySpec.tick(tick)}
        </text>
      </g>
    ))}
    {x.ticks.map((tick) => (
      <text key={tick} x={x.position(tick)} y={height - margin.bottom + 14} textAnchor="middle">
        {xSpec.tick(tick)}
      </text>
    ))}
    <text className="axis-name" x={width - margin.right} y={height - 5} textAnchor="end">
      {xSpec.label}
    </text>
  </g>
)

const Line = ({ line, x, y, width, height }: { line: FigureLine; x: Axis; y: Axis; width: number; height: number }) => {
  const colour = line.colour ?? 'var(--bad)'
  const at = (line.axis === 'x' ? x : y).position(line.value)
  const late = line.axis === 'x' && at > width * 0.7
  return line.axis === 'x' ? (
    <g>
      <line x1={at} x2={at} y1={margin.top} y2={height - margin.bottom} stroke={colour} strokeDasharray="4 3" />
      <text x={at + (late ? -4 : 4)} y={margin.top + 9} textAnchor={late ? 'end' : 'start'} className="line-name">
        {line.label}
      </text>
    </g>
  ) : (
    <g>
      <line x1={margin.left} x2={width - margin.right} y1={at} y2={at} stroke={colour} strokeDasharray="4 3" />
      <text x={width - margin.right - 2} y={at - 4} textAnchor="end" className="line-name">
        {line.label}
      </text>
    </g>
  )
}

const Key = ({ series, note }: { series: FigureSeries; note?: string | undefined }) => (
  <span>
    <i style={{ background: series.colour }} />
    {series.label}
    {note !== undefined && (
      <>
        : <b>{note}</b>
      </>
    )}
  </span>
)

interface Pointed {
  series: FigureSeries
  point: FigurePoint
}

/** The point nearest to a pixel, of the series whose points say something. */
const nearest = (series: readonly FigureSeries[], x: Axis, y: Axis, atX: number, atY: number): Pointed | undefined => {
  let best: Pointed | undefined
  let least = Number.POSITIVE_INFINITY
  for (const one of series)
    for (const point of one.points) {
      if (point.note === undefined) continue
      const dx = x.position(point.x) - atX
      const dy = y.position(point.y) - atY
      const distance = one.shape === 'band' ? dx * dx * 4 + (dy > 0 ? 1e5 : 0) + dy * dy * 0.01 : dx * dx + dy * dy
      if (distance < least) {
        least = distance
        best = { series: one, point }
      }
    }
  return best
}

/** The point of each series nearest to an x. */
const readAt = (series: readonly FigureSeries[], x: number): Pointed[] =>
  series.flatMap((one) => {
    let best: FigurePoint | undefined
    for (const point of one.points) if (best === undefined || Math.abs(point.x - x) < Math.abs(best.x - x)) best = point
    return best === undefined ? [] : [{ series: one, point: best }]
  })

/** A still figure: axes, lines, bands or points, and a readout of the nearest point under the heading. */
export const Figure = (props: FigureProps) => {
  const { title, unit, series, lines = [], caption, height = 250, legend = true, inKey, cursor } = props
  const place = useRef<HTMLDivElement>(null)
  const width = useWidth(place)
  const headingId = useId()
  const [pointed, setPointed] = useState<Pointed | undefined>(undefined)
  const x = axisOf(props.x, margin.left, width - margin.right, Math.max(3, Math.floor((width - 60) / 55)))
  const y = axisOf(props.y, height - margin.bottom, margin.top, 6)
  const read = cursor?.at === undefined ? [] : readAt(series, cursor.at)
  const leave = () => (cursor === undefined ? setPointed(undefined) : cursor.move(undefined))
  const point = (event: PointerEvent<SVGSVGElement>) => {
    const box = event.currentTarget.getBoundingClientRect()
    const found = nearest(series, x, y, event.clientX - box.left, event.clientY - box.top)
    if (cursor === undefined) setPointed(found)
    else cursor.move(found?.point.x)
  }
  return (
    <section className="panel figure" aria-labelledby={headingId}>
      <h2 id={headingId}>
        <b>{title}</b>
        {unit !== undefined && <span className="unit">{unit}</span>}
      </h2>
      <div className="keys">
        {pointed !== undefined ? (
          <Key series={pointed.series} note={pointed.point.note} />
        ) : read.length > 0 ? (
          read.map((one) => <Key key={one.series.label} series={one.series} note={one.point.note} />)
        ) : (
          legend && series.slice(0, inKey).map((one) => <Key key={one.label} series={one} />)
        )}
      </div>
      <div ref={place} className="plot" style={{ height }}>
        {/* The figures of the picture are also in the caption and the readout. */}
        <svg role="img" aria-label={title} width={width} height={height} onPointerMove={point} onPointerLeave={leave}>
          <Axes x={x} y={y} xSpec={props.x} ySpec={props.y} width={width} height={height} />
          {series.map((one) => (
            <Series key={one.label} series={one} x={x} y={y} />
          ))}
          {lines.map((line) => (
            <Line key={line.label} line={line} x={x} y={y} width={width} height={height} />
          ))}
          {cursor?.at !== undefined && (
            <line
              x1={x.position(cursor.at)}
              x2={x.position(cursor.at)}
              y1={margin.top}
              y2={height - margin.bottom}
              stroke="var(--faint)"
            />
          )}
          {pointed !== undefined && (
            <circle
              cx={x.position(pointed.point.x)}
              cy={y.position(pointed.point.y)}
              r="4"
              fill="var(--panel)"
              stroke="var(--ink)"
              strokeWidth="1.5"
            />
          )}
        </svg>
      </div>
      {caption !== undefined && <p className="caption">{caption}</p>}
    </section>
  )
}
