import { fieldsOf, sections } from '../calculator.ts'
import { type NamedCalculator, namedCalculators } from '../calculators/index.ts'
import { kebabCase, snakeCase } from '../edge/names.ts'
import type { FieldDoc } from '../fields/doc.ts'
import { exampleWords, inputRows } from './rows.ts'

const escaped = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;')

const table = (heads: readonly string[], rows: readonly (readonly string[])[]): string =>
  [heads, heads.map(() => '---'), ...rows.map((row) => row.map(escaped))]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

const anchor = (text: string): string => text.toLowerCase().replaceAll(' ', '-')

/** The page of all calculators, in Markdown: formula, validity, source, inputs and results, by section. */
export function calculatorsDocument(): string {
  const contents = sections.map((section) => `- [${section}](#${anchor(section)}): ${linksOf(section)}`)
  return [
    '# Calculators',
    '',
    'Small named functions over the cost model, each with typed inputs and results. `windtunnel calc` lists them,',
    '`windtunnel calc NAME --help` explains one, `windtunnel calc NAME input=value ...` computes it, and',
    '`windtunnel calc --cases FILE` compares them with a file of cases. Quantities are in SI units.',
    '',
    'Names and inputs are taken in camel, snake and kebab case (`tpStepTime`, `tp_step_time`, `tp-step-time`). Nothing is',
    'rounded on the way.',
    '',
    'This page is made from the registry by `npx node --conditions=@windtunnel/source scripts/calculatorTable.ts`.',
    '',
    ...contents,
    '',
    ...sections.flatMap((section) => [`## ${section}`, '', ...ofSection(section).flatMap(entry)]),
  ].join('\n')
}

const ofSection = (section: string): readonly NamedCalculator[] =>
  namedCalculators.filter((one) => one.section === section)

const linksOf = (section: string): string =>
  ofSection(section)
    .map((one) => `[${kebabCase(one.name)}](#${kebabCase(one.name)})`)
    .join(', ')

function entry(calculator: NamedCalculator): string[] {
  const name = kebabCase(calculator.name)
  const presets = Object.keys(calculator.presets ?? {})
  return [
    `### ${name}`,
    '',
    `${calculator.title}.`,
    '',
    `- Formula: ${escaped(calculator.formula)}`,
    `- Valid: ${escaped(calculator.validity)}`,
    `- Source: ${calculator.source}`,
    ...(presets.length === 0 ? [] : [`- Presets: ${presets.map((preset) => `\`preset=${preset}\``).join(', ')}`]),
    `- Example: \`windtunnel calc ${name} ${exampleWords(calculator.example)}\``,
    '',
    table(['input', 'takes', 'default', 'meaning'], inputRows(calculator.input.doc)),
    '',
    table(
      ['result', 'in case files', 'unit', 'meaning'],
      Object.entries(fieldsOf(calculator.output.doc)).map(([key, doc]) => [
        key,
        snakeCase(key),
        unitOf(doc),
        doc.sentence,
      ]),
    ),
    '',
  ]
}

/** The unit of a result, or what it is where it has none. */
const unitOf = (doc: FieldDoc): string =>
  doc.unit ??
  {
    number: '',
    flag: 'yes or no',
    text: 'text',
    list: 'list',
    choice: 'text',
    table: 'table',
    group: 'group',
    either: '',
  }[doc.kind]
