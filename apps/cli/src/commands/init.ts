import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import { action } from '../action.ts'
import { refuseOverwrite, writeWhole } from '../files/outputFile.ts'
import { note, print } from '../output/print.ts'

const file = Argument.String('file').pipe(
  Argument.withDescription('File to write: YAML with comments, or JSON where it ends in .json; "-" prints the text.'),
  Argument.withDefault('scenario.yaml'),
)

const flags = {
  file,
  full: Flag.Boolean('full').pipe(
    Flag.withDescription('Write every option with its unit, bounds and default.'),
    Flag.withDefault(false),
  ),
  schema: Flag.Boolean('json-schema').pipe(
    Flag.withDescription('Write the JSON Schema of the scenario file, for editors.'),
    Flag.withDefault(false),
  ),
  reference: Flag.Boolean('reference').pipe(
    Flag.withDescription('Write the reference of the scenario file, in Markdown.'),
    Flag.withDefault(false),
  ),
  force: Flag.Boolean('force').pipe(Flag.withDescription('Overwrite a file that exists.'), Flag.withDefault(false)),
}

interface Input {
  readonly file: string
  readonly full: boolean
  readonly schema: boolean
  readonly reference: boolean
  readonly force: boolean
}

async function textOf(input: Input): Promise<string> {
  const { fullText, jsonSchemaText, referenceText } = await import('@windtunnel/scenario/reference/texts')
  const { starterText } = await import('@windtunnel/scenario/reference/starter')
  if (input.schema) return jsonSchemaText()
  if (input.reference) return referenceText()
  const text = input.full ? fullText() : starterText
  if (!input.file.endsWith('.json')) return text
  const { parseScenarioText } = await import('@windtunnel/scenario/document/parse')
  return `${JSON.stringify(parseScenarioText(text).value, undefined, 2)}\n`
}

export const init = Command.make(
  'init',
  flags,
  action(async (input: Input) => {
    const text = await textOf(input)
    if (input.file === '-') return print(text)
    refuseOverwrite([input.file], input.force)
    await writeWhole(input.file, [text])
    const runs = !input.schema && !input.reference
    note(`Wrote ${input.file}.${runs ? ` Run it with: ./windtunnel run ${input.file}` : ''}`)
  }),
).pipe(
  Command.withDescription('Write a commented scenario to start from.'),
  Command.withExamples([
    { command: 'windtunnel init', description: 'Write scenario.yaml' },
    { command: 'windtunnel init full.yaml --full', description: 'Write every option with its default' },
    { command: 'windtunnel init scenario.schema.json --json-schema', description: 'Write the JSON Schema' },
  ]),
)
