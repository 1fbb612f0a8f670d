import type { Calculation, FieldDoc, NamedCalculator } from '@windtunnel/calculators'
import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { CliFault } from '../fault.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const flags = {
  name: Argument.String('calculator').pipe(
    Argument.withDescription('A calculator, such as tp-step-time; without it all are listed.'),
    Argument.optional,
  ),
  inputs: Argument.String('name=value').pipe(
    Argument.withDescription(
      'Inputs in SI units, such as tp=8; groups as allreduce.algorithm=tree, lists as stages=1e-3,2e-3, or all as one JSON object.',
    ),
    Argument.variadic(),
  ),
  cases: Flag.String('cases').pipe(
    Flag.withMetavar('FILE'),
    Flag.withDescription('Run a file of cases and compare; exit code 1 if any fails.'),
    Flag.optional,
  ),
  explain: Flag.Boolean('explain').pipe(
    Flag.withDescription(
      'What a calculator says about itself, every input explained; CALCULATOR --help does the same.',
    ),
    Flag.withDefault(false),
  ),
  json: jsonFlag,
}

interface Input {
  readonly name: Option.Option<string>
  readonly inputs: readonly string[]
  readonly cases: Option.Option<string>
  readonly explain: boolean
  readonly json: boolean
}

export const calc = Command.make('calc', flags, action(runCalc)).pipe(
  Command.withDescription(
    'Calculators of memory, steps, splits, collectives, topology, power and deployment, and a planner over them.',
  ),
  Command.withExamples([
    { command: 'windtunnel calc', description: 'All calculators' },
    { command: 'windtunnel calc tp-step-time --help', description: 'Formula, validity and every input' },
    { command: 'windtunnel calc tp-step-time tp=8 context=131064', description: 'Its value' },
    { command: 'windtunnel calc deployment-planner preset=bench', description: 'Which layout to deploy' },
    { command: 'windtunnel calc --cases cases.json', description: 'Compare with a file of cases' },
  ]),
)

/** `calc NAME --help` asks for that calculator's own explanation: the words with --explain in place of --help. */
export function explainInstead(words: readonly string[]): readonly string[] {
  const [verb, name] = words
  if (verb !== 'calc' || name === undefined || name.startsWith('-')) return words
  return words.map((word) => (word === '--help' || word === '-h' ? '--explain' : word))
}

async function runCalc(input: Input): Promise<void> {
  if (Option.isSome(input.cases)) return runCaseFile(input.cases.value, input.json)
  const { findCalculator, readAssignments, runCalculator } = await import('@windtunnel/calculators')
  if (Option.isNone(input.name)) return listCalculators(input.json)
  const calculator = findCalculator(input.name.value)
  if (input.explain || (input.inputs.length === 0 && needsInputs(calculator))) return explain(calculator, input.json)
  const found = runCalculator(calculator.name, readAssignments(calculator.input.doc, input.inputs))
  return input.json ? printCalculation(found) : showCalculation(found)
}

async function runCaseFile(path: string, json: boolean): Promise<void> {
  const { caseLine, caseSummary, readCases, runCases } = await import('@windtunnel/calculators')
  const { readTextFile } = await import('../input/textFile.ts')
  const { print, printJson } = await import('../output/print.ts')
  const checks = runCases(readCases(await readTextFile(path)))
  const failed = checks.some((check) => check.verdict === 'failed')
  if (json) await printJson(checks)
  else {
    const differing = checks.filter((check) => check.verdict !== 'passed').map(caseLine)
    await print([...differing, caseSummary(checks)].join('\n'))
  }
  if (failed) throw new CliFault('', 1)
}

async function listCalculators(json: boolean): Promise<void> {
  const { kebabCase, namedCalculators, sections } = await import('@windtunnel/calculators')
  const { print, printJson } = await import('../output/print.ts')
  const { table } = await import('../output/table.ts')
  if (json) return printJson(namedCalculators.map(plain))
  const blocks = sections.map((section) => {
    const rows = namedCalculators
      .filter((one) => one.section === section)
      .map((one) => [`  ${kebabCase(one.name)}`, one.title])
    return `${section}\n${table(['', ''], rows)}`
  })
  await print([...blocks, 'Explain one: windtunnel calc NAME --help'].join('\n\n'))
}

const docsOf = (doc: FieldDoc): [string, FieldDoc][] => (doc.kind === 'group' ? Object.entries(doc.fields) : [])

const needsInputs = (calculator: NamedCalculator): boolean =>
  docsOf(calculator.input.doc).some(([, doc]) => doc.optional !== true)

/** What can be written down of a calculator. */
const plain = ({ name, title, section, formula, validity, source, input, output, example }: NamedCalculator) => ({
  name,
  title,
  section,
  formula,
  validity,
  source,
  inputs: docsOf(input.doc).map(([key, doc]) => ({ name: key, ...doc })),
  results: docsOf(output.doc).map(([key, doc]) => ({ name: key, ...doc })),
  example,
})

async function explain(calculator: NamedCalculator, json: boolean): Promise<void> {
  const { expectation, kebabCase, snakeCase } = await import('@windtunnel/calculators')
  const { exampleWords, inputRows } = await import('@windtunnel/calculators/reference/rows')
  const { print, printJson } = await import('../output/print.ts')
  const { table } = await import('../output/table.ts')
  if (json) return printJson(plain(calculator))
  const name = kebabCase(calculator.name)
  const results = docsOf(calculator.output.doc).map(([key, doc]) => [
    `  ${key}`,
    snakeCase(key),
    doc.unit ??
      (doc.kind === 'number'
        ? ''
        : expectation(doc)
            .split(',')[0]!
            .replace(/ of .*/, '')),
    doc.sentence,
  ])
  await print(
    [
      `${name}  ${calculator.title}`,
      '',
      `  ${calculator.formula}`,
      `  Valid: ${calculator.validity}`,
      `  Source: ${calculator.source}`,
      '',
      'INPUTS',
      table(
        ['  name', 'takes', 'default', 'meaning'],
        inputRows(calculator.input.doc).map(([key, ...cells]) => [`  ${key}`, ...cells]),
      ),
      '',
      'RESULTS',
      table(['  name', 'in case files', 'unit', 'meaning'], results),
      '',
      'EXAMPLE',
      `  windtunnel calc ${name} ${exampleWords(calculator.example)}`,
    ].join('\n'),
  )
}

async function printCalculation({ calculator, inputs, results }: Calculation): Promise<void> {
  const { flatResults } = await import('@windtunnel/calculators')
  const { printJson } = await import('../output/print.ts')
  const caseResults = Object.fromEntries(flatResults(calculator.output.doc, results))
  await printJson({ calculator: calculator.name, inputs, results, caseResults })
}

async function showCalculation({ calculator, inputs, results }: Calculation): Promise<void> {
  const { kebabCase } = await import('@windtunnel/calculators')
  const { groupTables, valueRows } = await import('@windtunnel/calculators/reference/rows')
  const { print } = await import('../output/print.ts')
  const { inUnit } = await import('../output/format.ts')
  const { right, table } = await import('../output/table.ts')
  const shown = (value: unknown, unit: string | undefined): string =>
    typeof value === 'number' && unit !== undefined ? inUnit(value, unit) : ''
  const rows = (doc: FieldDoc, values: Readonly<Record<string, unknown>>) =>
    valueRows(doc, values)
      .filter((row) => !isTexts(row.value))
      .map((row) => [`  ${row.name}`, row.text, row.unit ?? '', shown(row.value, row.unit), row.sentence])
  const columns = ['', right('value'), 'unit', right('about'), 'meaning']
  await print(
    [
      `${kebabCase(calculator.name)}  ${calculator.title}`,
      `  ${calculator.formula}`,
      '',
      'INPUTS',
      table(columns, rows(calculator.input.doc, inputs)),
      '',
      'RESULTS',
      table(columns, rows(calculator.output.doc, results)),
      ...groupTables(calculator.output.doc, results).map(
        ({ name, sentence, columns, rows }) =>
          `\n${name}: ${sentence}\n${table(
            columns.map((column) => column.name),
            rows.map((row) => row.map((cell, at) => cellText(cell, columns[at]?.unit, inUnit))),
          )}`,
      ),
      ...valueRows(calculator.output.doc, results)
        .filter((row) => isTexts(row.value))
        .map((row) => `\n${row.name}:\n${(row.value as string[]).map((text) => `  ${text}`).join('\n')}`),
    ].join('\n'),
  )
}

function cellText(cell: unknown, unit: string | undefined, inUnit: (value: number, unit: string) => string): string {
  if (cell === undefined) return '-'
  if (Array.isArray(cell))
    return cell.length > 8 ? `${cell.length} values` : cell.map((one) => cellText(one, unit, inUnit)).join(', ')
  return typeof cell === 'number' ? inUnit(cell, unit ?? '1') : String(cell)
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.some((one) => typeof one === 'string' && one.includes(' '))
