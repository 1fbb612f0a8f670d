import { fieldsOf, sections } from '@windtunnel/calculators/calculator'
import { findCalculator, type NamedCalculator, namedCalculators } from '@windtunnel/calculators/calculators/index'
import { useEffect, useRef, useState } from 'react'
import { reachable } from '../shell/reachable.ts'
import { addressOf, rememberInAddress, useRoute } from '../shell/route.ts'
import { compute } from './compute.ts'
import { InputForm } from './InputForm.tsx'
import { inputFields, type Typed, typedFrom } from './inputs.ts'
import { pictures } from './pictures/index.ts'
import type { ResultLine, ResultRows } from './results.ts'
import { SweepFigure } from './SweepFigure.tsx'

const matching = (words: string): NamedCalculator[] => {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return namedCalculators.filter(({ name, title, section, formula }) => {
    const about = `${name} ${title} ${section} ${formula}`.toLowerCase()
    return wanted.every((word) => about.includes(word))
  })
}

/** The calculators by section, narrowed by a search. */
const List = ({ chosen }: { chosen: string }) => {
  const [words, setWords] = useState('')
  const found = matching(words)
  const list = useRef<HTMLElement>(null)
  // The list scrolls by itself: one that came by address must be in sight.
  useEffect(() => {
    const link = list.current?.querySelector<HTMLElement>(`[href="${addressOf('calculators', { calc: chosen })}"]`)
    if (list.current === null || link === null || link === undefined) return
    const { offsetTop, offsetHeight } = link
    const { scrollTop, clientHeight } = list.current
    if (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight)
      list.current.scrollTop = offsetTop - clientHeight / 2
  }, [chosen])
  return (
    <nav className="panel calculator-list" aria-label="Calculators" ref={list}>
      <div className="search">
        <input
          type="search"
          aria-label="Search the calculators"
          placeholder={`search ${namedCalculators.length} calculators`}
          value={words}
          onChange={(event) => setWords(event.currentTarget.value)}
        />
      </div>
      {sections.map((section) => {
        const inside = found.filter((calculator) => calculator.section === section)
        return inside.length === 0 ? null : (
          <div key={section}>
            <h3>{section}</h3>
            {inside.map(({ name, title }) => (
              <a
                key={name}
                href={addressOf('calculators', { calc: name })}
                aria-current={name === chosen ? 'page' : undefined}
              >
                {title}
              </a>
            ))}
          </div>
        )
      })}
      {found.length === 0 && <p className="empty">No calculator has these words.</p>}
    </nav>
  )
}

const Results = ({ lines }: { lines: readonly ResultLine[] }) => (
  <div className="table-place">
    <table className="results" aria-label="Results">
      <tbody>
        {lines.map((line) => (
          <tr key={line.path} title={line.sentence}>
            <th scope="row">
              {line.path}
              <small>{line.sentence}</small>
            </th>
            <td>
              <b>{line.shown}</b>
              {line.number !== undefined && line.exact !== line.shown && <small>{line.exact}</small>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

/** A preset's inputs in the place of its name, under what else is typed. */
const unfolded = ({ presets, input }: NamedCalculator, { preset, ...typed }: Typed): Typed => {
  const values = preset === undefined ? undefined : presets?.[preset]
  return values === undefined ? typed : { ...typedFrom(values, fieldsOf(input.doc)), ...typed }
}

const Tables = ({ tables }: { tables: readonly ResultRows[] }) =>
  tables.map(({ path, sentence, columns, rows }) => (
    <section key={path} className="panel" aria-label={path}>
      <h2>
        <b>{path}</b>
        <span className="unit">{sentence}</span>
      </h2>
      {columns.length === 0 ? (
        <ul className="remarks">
          {rows.map(([remark]) => (
            <li key={remark}>{remark}</li>
          ))}
        </ul>
      ) : (
        <div className="table-place tall" ref={reachable}>
          <table className="rows">
            <thead>
              <tr>
                {columns.map(({ name, sentence: about }) => (
                  <th key={name} scope="col" title={about}>
                    {name}
                  </th>
                ))}
              </tr>
            </thead>
            <tbody>
              {rows.map((row) => (
                <tr key={row.join('|')}>
                  {row.map((cell, column) => (
                    <td key={columns[column]?.name}>{cell}</td>
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  ))

/** The sets of inputs to begin with, where a calculator has some. */
const Presets = ({ name, calculator }: { name: string; calculator: NamedCalculator }) =>
  calculator.presets === undefined ? (
    <span className="end">the address keeps them</span>
  ) : (
    <select
      className="end"
      aria-label="Begin with a preset"
      value=""
      onChange={(event) => rememberInAddress('calculators', { calc: name, preset: event.currentTarget.value })}
    >
      <option value="" disabled>
        begin with a preset…
      </option>
      {Object.keys(calculator.presets).map((preset) => (
        <option key={preset}>{preset}</option>
      ))}
    </select>
  )

const fewInputs = 6

const One = ({
  name,
  calculator,
  parameters,
}: {
  name: string
  calculator: NamedCalculator
  parameters: URLSearchParams
}) => {
  const docs = fieldsOf(calculator.input.doc)
  const fields = inputFields(docs)
  const given = Object.fromEntries([...parameters].filter(([key]) => key !== 'calc'))
  const typed = unfolded(calculator, Object.keys(given).length > 0 ? given : typedFrom(calculator.example, docs))
  const computed = compute(calculator, typed)
  const problems = computed.ok ? [] : computed.problems
  const Drawn = pictures[name]
  const picture = computed.ok && Drawn !== undefined && (
    <Drawn key={`picture of ${name}`} typed={typed} results={computed.results} />
  )
  const loose = problems.filter(
    (problem) => !fields.some((field) => problem.path === field.path || problem.path.startsWith(`${field.path}.`)),
  )
  const change = (path: string, text: string) => {
    const next = { ...typed, [path]: text }
    rememberInAddress('calculators', {
      calc: name,
      ...Object.fromEntries(Object.entries(next).filter(([, one]) => one !== '')),
    })
  }
  return (
    <div className="col">
      <section className="panel" aria-label={calculator.title}>
        <h2>
          <b>{calculator.title}</b>
          <span className="unit">{calculator.section}</span>
        </h2>
        <p className="formula">{calculator.formula}</p>
        <p className="caption">
          {calculator.validity} <span className="dim">{calculator.source}.</span>
        </p>
      </section>
      <div className="calculator-halves">
        <div className="col">
          <section className="panel" aria-label="Inputs">
            <h2 className="with-select">
              <b>Inputs</b>
              <Presets name={name} calculator={calculator} />
            </h2>
            <InputForm fields={fields} typed={typed} problems={problems} change={change} />
          </section>
          {fields.length <= fewInputs && picture}
        </div>
        <div className="col">
          {computed.ok && computed.lines.length === 0 ? null : (
            <section className="panel" aria-live="polite" aria-label="Results">
              <h2>
                <b>Results</b>
              </h2>
              {loose.map((problem) => (
                <p key={problem.path + problem.message} className="refusal" role="alert">
                  {problem.path !== '' && <code>{problem.path}</code>} {problem.message}
                </p>
              ))}
              {computed.ok ? (
                <Results lines={computed.lines} />
              ) : (
                <p className="empty">Results come back when the inputs are in order.</p>
              )}
            </section>
          )}
          {fields.length > fewInputs && picture}
          {computed.ok && <Tables tables={computed.tables} />}
          {computed.ok && (
            <SweepFigure
              key={name}
              calculator={calculator}
              typed={typed}
              fields={fields}
              outputs={computed.lines.filter((line) => line.number !== undefined)}
            />
          )}
        </div>
      </div>
    </div>
  )
}

/** The calculator of that name; or the sentence that says there is none, with near names. */
const calculatorNamed = (name: string): NamedCalculator | string => {
  try {
    return findCalculator(name)
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

/** Named calculators, each with its formula, its inputs with units and bounds, and its results while you type. */
export const CalculatorsView = () => {
  const { parameters } = useRoute()
  const name = parameters.get('calc') ?? namedCalculators.find((one) => one.section === sections[0])?.name ?? ''
  const calculator = calculatorNamed(name)
  return (
    <main className="calculators" id="view">
      <h1 className="unseen">Calculators</h1>
      <List chosen={typeof calculator === 'string' ? '' : calculator.name} />
      {typeof calculator === 'string' ? (
        <p className="refusal" role="alert">
          {calculator}
        </p>
      ) : (
        <One key={calculator.name} name={calculator.name} calculator={calculator} parameters={parameters} />
      )}
    </main>
  )
}
