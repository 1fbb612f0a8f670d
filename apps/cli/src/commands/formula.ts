import type { Formula, FormulaInput } from '@windtunnel/cost/formulas/index'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { CliFault } from '../fault.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const flags = {
  id: Argument.String('id').pipe(
    Argument.withDescription(
      'Id of a formula of "How To Scale Your Model", such as R1 or I3; without it all are listed.',
    ),
    Argument.optional,
  ),
  inputs: Argument.String('name=value').pipe(
    Argument.withDescription(
      'Inputs in SI units, such as flops=1e12; lists as axes=4,4. Without any the formula is explained.',
    ),
    Argument.variadic(),
  ),
  json: jsonFlag,
}

interface Input {
  readonly id: Option.Option<string>
  readonly inputs: readonly string[]
  readonly json: boolean
}

export const formula = Command.make('formula', flags, action(runFormula)).pipe(
  Command.withDescription('Explain or compute a formula of "How To Scale Your Model".'),
  Command.withExamples([
    { command: 'windtunnel formula', description: 'All formulas' },
    { command: 'windtunnel formula R1', description: 'What it says and what its variables mean' },
    { command: 'windtunnel formula R1 flops=1e12 peakFlopsPerSecond=989e12', description: 'Its value' },
  ]),
)

async function runFormula(input: Input): Promise<void> {
  const { formulas } = await import('@windtunnel/cost/formulas/index')
  const { evaluateFormula, findFormula } = await import('@windtunnel/cost/formulas/evaluateFormula')
  const { print, printJson } = await import('../output/print.ts')
  const id = Option.getOrUndefined(input.id)
  if (id === undefined) return listFormulas(Object.values(formulas), input.json)
  const found = findFormula(id.toUpperCase() in formulas ? id.toUpperCase() : id)
  if (input.inputs.length === 0 && needsInputs(found)) return explain(found, input.json)
  const inputs = Object.fromEntries(input.inputs.map((text) => readInput(found, text)))
  const results = evaluateFormula(found.id, inputs)
  if (input.json) return printJson({ id: found.id, inputs, results })
  const { table } = await import('../output/table.ts')
  const rows = Object.entries(results).map(([name, value]) => [name, shown(value), found.outputs[name] ?? ''])
  await print(`${found.id}  ${found.title}: ${found.text}\n\n${table(['result', 'value', 'unit'], rows)}`)
}

const needsInputs = (found: Formula): boolean =>
  Object.values(found.variables).some((one) => one.default === undefined && one.kind !== 'optionalNumber')

const shown = (value: unknown): string =>
  value === undefined ? 'none' : Array.isArray(value) ? value.map(String).join(', ') : String(value)

/** `name=value` in the kind that the formula's variable has. */
function readInput(found: Formula, text: string): [string, FormulaInput] {
  const equals = text.indexOf('=')
  if (equals <= 0)
    throw new CliFault(`formula ${found.id}: expected NAME=VALUE, such as flops=1e12; found ${JSON.stringify(text)}`)
  const name = text.slice(0, equals).trim()
  const value = text.slice(equals + 1).trim()
  const kind = found.variables[name]?.kind
  if (kind === 'text' || kind === undefined) return [name, value]
  if (kind === 'numbers') return [name, value.split(/[,x]/).map((one) => readNumber(found, name, one))]
  return [name, readNumber(found, name, value)]
}

function readNumber(found: Formula, name: string, text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value))
    throw new CliFault(`formula ${found.id}: ${name} must be a number; found ${JSON.stringify(text)}`)
  return value
}

async function listFormulas(all: readonly Formula[], json: boolean): Promise<void> {
  const { print, printJson } = await import('../output/print.ts')
  const { table } = await import('../output/table.ts')
  if (json)
    return printJson(
      all.map(({ id, chapter, chapterTitle, title, text, variables, outputs }) => ({
        id,
        chapter,
        chapterTitle,
        title,
        text,
        variables,
        outputs,
      })),
    )
  const rows = all.map((one) => [one.id, one.title, one.text])
  await print(table(['id', 'what', 'formula'], rows))
}

async function explain(found: Formula, json: boolean): Promise<void> {
  const { print, printJson } = await import('../output/print.ts')
  const { table } = await import('../output/table.ts')
  const { evaluate: _, ...plain } = found
  if (json) return printJson(plain)
  const rows = Object.entries(found.variables).map(([name, one]) => [
    name,
    one.unit,
    one.default === undefined ? (one.kind === 'optionalNumber' ? 'may be left out' : 'required') : String(one.default),
    one.meaning,
  ])
  const results = Object.entries(found.outputs).map(([name, unit]) => [name, unit])
  const lines = [
    `${found.id}  ${found.title} (chapter ${found.chapter}, ${found.chapterTitle})`,
    '',
    `  ${found.text}`,
    ...(found.valid === undefined ? [] : [`  valid: ${found.valid}`]),
    `  computed by: ${found.functions.join(', ')}`,
    '',
    table(['variable', 'unit', 'default', 'meaning'], rows),
    '',
    table(['result', 'unit'], results),
    '',
    `Compute it: windtunnel formula ${found.id} ${Object.entries(found.variables)
      .filter(([, one]) => one.default === undefined && one.kind !== 'optionalNumber')
      .map(([name]) => `${name}=...`)
      .join(' ')}`,
  ]
  await print(lines.join('\n'))
}
