import type { NamedCalculator } from '@windtunnel/calculators/calculators/index'
import { useState } from 'react'
import { Figure, type FigurePoint, type FigureSeries } from '../figure/Figure.tsx'
import { axisTick } from './axisTick.ts'
import { compute } from './compute.ts'
import { defaultText, type InputField, type Typed } from './inputs.ts'
import type { ResultLine } from './results.ts'
import { valuesAround } from './sweep.ts'

const hues = ['var(--decode)', 'var(--prefill)', 'var(--kv)', 'var(--transfer)', 'var(--p99)', 'var(--warn)']

/** What a figure can show: one result, or up to six results of one unit together. */
interface Shown {
  name: string
  unit: string | undefined
  paths: readonly string[]
}

const choicesOf = (outputs: readonly ResultLine[]): Shown[] => {
  const single = outputs.map(({ path, unit }): Shown => ({ name: path, unit, paths: [path] }))
  const units = [...new Set(outputs.map(({ unit }) => unit))].filter((unit) => unit !== undefined)
  const together = units.flatMap((unit): Shown[] => {
    const paths = outputs.filter((one) => one.unit === unit).map(({ path }) => path)
    return paths.length < 2 || paths.length > hues.length ? [] : [{ name: `all results in ${unit}`, unit, paths }]
  })
  return [...together, ...single]
}

/** The results at values around what is typed; values that cannot be computed are left out. */
const sweepOf = (calculator: NamedCalculator, typed: Typed, field: InputField, shown: Shown): FigureSeries[] => {
  const points = new Map<string, FigurePoint[]>(shown.paths.map((path) => [path, []]))
  for (const value of valuesAround(field.doc, Number(typed[field.path] || defaultText(field.doc)))) {
    const computed = compute(calculator, { ...typed, [field.path]: String(value) })
    if (!computed.ok) continue
    for (const line of computed.lines)
      if (line.number !== undefined && Number.isFinite(line.number))
        points.get(line.path)?.push({
          x: value,
          y: line.number,
          note: `${line.shown} at ${field.path} ${axisTick(field.doc.unit)(value)}`,
        })
  }
  return [...points].map(([label, found], index) => ({ label, colour: hues[index] ?? 'var(--ink)', points: found }))
}

const Pick = ({
  id,
  label,
  value,
  names,
  choose,
}: {
  id: string
  label: string
  value: string
  names: readonly string[]
  choose: (name: string) => void
}) => (
  <div className="field">
    <label htmlFor={id}>{label}</label>
    <select id={id} value={value} onChange={(event) => choose(event.currentTarget.value)}>
      {names.map((name) => (
        <option key={name}>{name}</option>
      ))}
    </select>
  </div>
)

const Drawn = ({
  series,
  shown,
  field,
  at,
}: {
  series: readonly FigureSeries[]
  shown: Shown
  field: InputField
  at: number
}) => {
  const points = series.flatMap((one) => one.points)
  const xs = points.map((point) => point.x)
  const ys = points.map((point) => point.y)
  const [low, high, from, to] = [Math.min(...ys), Math.max(...ys), Math.min(...xs), Math.max(...xs)]
  if (!(to > from)) return <p className="empty">Nothing to draw: no other values of {field.path} can be computed.</p>
  const log = low > 0 && high / low > 30
  const unit = field.doc.unit === undefined ? '' : `, ${field.doc.unit}`
  return (
    <Figure
      title={shown.name}
      unit={`against ${field.path}`}
      x={{ label: `${field.path}${unit}`, log: from > 0, from, to, tick: axisTick(field.doc.unit) }}
      y={{
        label: '',
        log,
        from: log ? low * 0.9 : Math.min(0, low),
        to: high <= 0 ? 1 : high * 1.08,
        tick: axisTick(shown.unit),
      }}
      series={series}
      lines={at >= from && at <= to ? [{ axis: 'x', value: at, label: 'typed', colour: 'var(--faint)' }] : []}
      legend={series.length > 1}
    />
  )
}

/** Results against one input, the others as typed. */
export const SweepFigure = ({
  calculator,
  typed,
  fields,
  outputs,
}: {
  calculator: NamedCalculator
  typed: Typed
  fields: readonly InputField[]
  outputs: readonly ResultLine[]
}) => {
  const [chosenInput, setInput] = useState<string | undefined>(undefined)
  const [chosenOutput, setOutput] = useState<string | undefined>(undefined)
  const numeric = fields.filter((one) => one.doc.kind === 'number')
  const typedOne = numeric.find((one) => typed[one.path] !== undefined)
  const field = numeric.find((one) => one.path === chosenInput) ?? typedOne ?? numeric[0]
  const choices = choicesOf(outputs)
  const shown = choices.find((one) => one.name === chosenOutput) ?? choices[0]
  if (field === undefined || shown === undefined) return null
  const at = Number(typed[field.path] || defaultText(field.doc))
  return (
    <div className="sweep">
      <div className="choices">
        <Pick
          id="sweep-output"
          label="Show"
          value={shown.name}
          names={choices.map(({ name }) => name)}
          choose={setOutput}
        />
        <Pick
          id="sweep-input"
          label="against"
          value={field.path}
          names={numeric.map(({ path }) => path)}
          choose={setInput}
        />
      </div>
      <Drawn series={sweepOf(calculator, typed, field, shown)} shown={shown} field={field} at={at} />
    </div>
  )
}
