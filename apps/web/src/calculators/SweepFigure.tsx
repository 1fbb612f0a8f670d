import type { NamedCalculator } from '@windtunnel/calculators/calculators/index'
import { useState } from 'react'
import { Figure, type FigurePoint } from '../figure/Figure.tsx'
import { duration, scaled } from '../format/quantity.ts'
import { compute } from './compute.ts'
import { defaultText, type InputField, type Typed } from './inputs.ts'
import type { ResultLine } from './results.ts'
import { valuesAround } from './sweep.ts'

/** Axis values: short durations for seconds, SI prefixes for the rest. */
const tickOf =
  (unit: string | undefined) =>
  (value: number): string => {
    const { digits, unit: prefix } =
      unit === 's'
        ? duration(value)
        : value === 0 || Math.abs(value) >= 1
          ? scaled(value, '')
          : { digits: String(Number(value.toPrecision(2))), unit: '' }
    const plain = Number(digits.replaceAll(',', ''))
    return `${Number.isFinite(plain) ? plain : digits}${unit === 's' ? ' ' : ''}${value === 0 ? '' : prefix}`
  }

const pointsOf = (calculator: NamedCalculator, typed: Typed, field: InputField, output: string): FigurePoint[] => {
  const around = valuesAround(field.doc, Number(typed[field.path] || defaultText(field.doc)))
  return around.flatMap((value) => {
    const computed = compute(calculator, { ...typed, [field.path]: String(value) })
    const line = computed.ok ? computed.lines.find((one) => one.path === output) : undefined
    return line?.number === undefined || !Number.isFinite(line.number)
      ? []
      : [{ x: value, y: line.number, note: `${line.shown} at ${field.path} ${tickOf(field.doc.unit)(value)}` }]
  })
}

/** One result against one input, the others as typed. */
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
  const numeric = fields.filter((field) => field.doc.kind === 'number')
  const [chosenInput, setInput] = useState<string | undefined>(undefined)
  const [chosenOutput, setOutput] = useState<string | undefined>(undefined)
  const field =
    numeric.find((one) => one.path === chosenInput) ??
    numeric.find((one) => typed[one.path] !== undefined) ??
    numeric[0]
  const line = outputs.find((one) => one.path === chosenOutput) ?? outputs[0]
  const output = line?.path
  if (field === undefined || output === undefined) return null
  const points = pointsOf(calculator, typed, field, output)
  const ys = points.map((point) => point.y)
  const low = Math.min(...ys)
  const high = Math.max(...ys)
  const log = low > 0 && high / low > 30
  return (
    <div className="sweep">
      <div className="choices">
        <div className="field">
          <label htmlFor="sweep-output">Show</label>
          <select id="sweep-output" value={output} onChange={(event) => setOutput(event.currentTarget.value)}>
            {outputs.map((one) => (
              <option key={one.path}>{one.path}</option>
            ))}
          </select>
        </div>
        <div className="field">
          <label htmlFor="sweep-input">against</label>
          <select id="sweep-input" value={field.path} onChange={(event) => setInput(event.currentTarget.value)}>
            {numeric.map((one) => (
              <option key={one.path}>{one.path}</option>
            ))}
          </select>
        </div>
      </div>
      {points.length < 2 ? (
        <p className="empty">Nothing to draw: no other values of {field.path} can be computed.</p>
      ) : (
        <Figure
          title={output}
          unit={`against ${field.path}`}
          x={{
            label: `${field.path}${field.doc.unit === undefined ? '' : `, ${field.doc.unit}`}`,
            log: (points[0]?.x ?? 0) > 0,
            from: points[0]?.x ?? 0,
            to: points.at(-1)?.x ?? 1,
            tick: tickOf(field.doc.unit),
          }}
          y={{
            label: '',
            log,
            from: log ? low * 0.9 : Math.min(0, low),
            to: high === 0 ? 1 : high * 1.08,
            tick: tickOf(line?.unit),
          }}
          series={[{ label: output, colour: 'var(--decode)', points }]}
          lines={[
            {
              axis: 'x',
              value: Number(typed[field.path] || defaultText(field.doc)) || (points[0]?.x ?? 1),
              label: 'typed',
              colour: 'var(--faint)',
            },
          ]}
          legend={false}
        />
      )}
    </div>
  )
}
