import type { ReactNode } from 'react'

export interface BarPart {
  name: string
  value: number
  colour: string
}

export interface BarRow {
  label: string
  parts: readonly BarPart[]
  /** Words under the bar. */
  note?: string
  bad?: boolean
  chosen?: boolean
}

export interface BarsProps {
  title: string
  unit?: string
  rows: readonly BarRow[]
  show: (value: number) => string
  /** A line across all bars, such as a capacity, and its words. */
  edge?: { value: number; label: string }
  caption?: ReactNode
}

const lengthOf = (row: BarRow): number => row.parts.reduce((sum, part) => sum + Math.max(0, part.value), 0)

/** Stacked bars on one scale, one a row. */
export const Bars = ({ title, unit, rows, show, edge, caption }: BarsProps) => {
  const longest = Math.max(...rows.map(lengthOf), edge?.value ?? 0)
  if (!(longest > 0)) return null
  const widest = edge === undefined ? longest : Math.min(longest, edge.value * 1.6)
  const parts = new Map(rows.flatMap((row) => row.parts.map((part) => [part.name, part.colour] as const)))
  return (
    <section className="panel figure" aria-label={title}>
      <h2>
        <b>{title}</b>
        {unit !== undefined && <span className="unit">{unit}</span>}
      </h2>
      <div className="keys">
        {[...parts].map(([name, colour]) => (
          <span key={name}>
            <i style={{ background: colour }} />
            {name}
          </span>
        ))}
        {edge !== undefined && (
          <span>
            <i style={{ background: 'var(--bad)' }} />
            {edge.label}
          </span>
        )}
      </div>
      <div className="memory">
        {rows.map((row) => (
          <div key={row.label} className={row.chosen === true ? 'chosen' : undefined}>
            <span>{row.label}</span>
            <span className="bar stacked">
              {row.parts.map((part) => (
                <i
                  key={part.name}
                  title={`${part.name}: ${show(part.value)}`}
                  style={{ width: `${(Math.max(0, part.value) / widest) * 100}%`, background: part.colour }}
                />
              ))}
              {edge !== undefined && <i className="edge" style={{ left: `${(edge.value / widest) * 100}%` }} />}
            </span>
            {row.note !== undefined && <span className={row.bad === true ? 'n bad' : 'n'}>{row.note}</span>}
          </div>
        ))}
      </div>
      {caption !== undefined && <p className="caption">{caption}</p>}
    </section>
  )
}
