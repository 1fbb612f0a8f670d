import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import { action } from '../action.ts'
import { refuseOverwrite, writeWhole } from '../files/outputFile.ts'
import { note, print } from '../output/print.ts'

const file = Argument.String('file').pipe(
  Argument.withDescription('File to write; "-" prints the text.'),
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
  force: Flag.Boolean('force').pipe(Flag.withDescription('Overwrite a file that exists.'), Flag.withDefault(false)),
}

export const init = Command.make(
  'init',
  flags,
  action(async (input: { file: string; full: boolean; schema: boolean; force: boolean }) => {
    const { fullText, jsonSchemaText } = await import('@windtunnel/scenario/reference/texts')
    const { starterText } = await import('@windtunnel/scenario/reference/starter')
    const text = input.schema ? jsonSchemaText() : input.full ? fullText() : starterText
    if (input.file === '-') return print(text)
    refuseOverwrite([input.file], input.force)
    await writeWhole(input.file, [text])
    note(`Wrote ${input.file}.${input.schema ? '' : ` Run it with: ./windtunnel run ${input.file}`}`)
  }),
).pipe(
  Command.withDescription('Write a commented scenario to start from.'),
  Command.withExamples([
    { command: 'windtunnel init', description: 'Write scenario.yaml' },
    { command: 'windtunnel init full.yaml --full', description: 'Write every option with its default' },
    { command: 'windtunnel init scenario.schema.json --json-schema', description: 'Write the JSON Schema' },
  ]),
)
