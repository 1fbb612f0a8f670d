import type { InputProblem } from '@windtunnel/calculators/edge/inputError'
import { boundsSentence, type FieldDoc } from '@windtunnel/calculators/fields/doc'
import { useId } from 'react'
import { scaled, text } from '../format/quantity.ts'
import { defaultText, type InputField, type Typed } from './inputs.ts'

/** A number of many digits as people read it, such as 80.0 GB; nothing where the digits say it as well. */
const readable = (doc: FieldDoc, typed: string): string | undefined => {
  const number = Number(typed === '' ? defaultText(doc) : typed)
  const { unit = '' } = doc
  return doc.kind === 'number' && Math.abs(number) >= 10_000 && /^(B|FLOP|W|J)/.test(unit)
    ? `= ${text(scaled(number, unit))}`
    : undefined
}

const hintOf = (doc: FieldDoc, typed: string): string =>
  [
    doc.unit,
    doc.kind === 'number' ? boundsSentence(doc) : undefined,
    doc.kind === 'list' ? 'separated by commas' : undefined,
    readable(doc, typed),
  ]
    .filter((part) => part !== undefined && part !== '')
    .join(', ')

const Entry = ({
  id,
  doc,
  value,
  invalid,
  change,
}: {
  id: string
  doc: FieldDoc
  value: string
  invalid: boolean
  change: (text: string) => void
}) => {
  const byDefault = defaultText(doc)
  const names = doc.kind === 'choice' ? doc.names : doc.kind === 'flag' ? ['true', 'false'] : undefined
  if (names !== undefined)
    return (
      <select id={id} value={value} onChange={(event) => change(event.currentTarget.value)}>
        {(value === '' || doc.optional === true) && (
          <option value="">{byDefault === '' ? '–' : `${byDefault} (default)`}</option>
        )}
        {names.map((name) => (
          <option key={name}>{name}</option>
        ))}
      </select>
    )
  const named = doc.kind === 'group' ? doc.named : undefined
  return (
    <>
      <input
        id={id}
        value={value}
        placeholder={byDefault}
        aria-invalid={invalid}
        spellCheck={false}
        list={named === undefined ? undefined : `${id}-names`}
        onChange={(event) => change(event.currentTarget.value)}
      />
      {named !== undefined && (
        <datalist id={`${id}-names`}>
          {named.names.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  )
}

const Input = ({
  field,
  value,
  problem,
  change,
}: {
  field: InputField
  value: string
  problem: string | undefined
  change: (text: string) => void
}) => {
  const id = useId()
  const hint = hintOf(field.doc, value)
  return (
    <div className="field" title={field.doc.sentence}>
      <label htmlFor={id}>
        {field.path}
        {hint !== '' && <small> {hint}</small>}
      </label>
      <Entry id={id} doc={field.doc} value={value} invalid={problem !== undefined} change={change} />
      <p className={problem === undefined ? 'hint' : 'refusal'}>{problem ?? field.doc.sentence}</p>
    </div>
  )
}

/** A form made from the fields of a calculator; a problem shows at its input. */
export const InputForm = ({
  fields,
  typed,
  problems,
  change,
}: {
  fields: readonly InputField[]
  typed: Typed
  problems: readonly InputProblem[]
  change: (path: string, text: string) => void
}) => (
  <form className="inputs" aria-label="Inputs" onSubmit={(event) => event.preventDefault()}>
    {fields.map((field) => (
      <Input
        key={field.path}
        field={field}
        value={typed[field.path] ?? ''}
        problem={
          problems.find((problem) => problem.path === field.path || problem.path.startsWith(`${field.path}.`))?.message
        }
        change={(text) => change(field.path, text)}
      />
    ))}
  </form>
)
