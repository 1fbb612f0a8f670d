import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const flags = {
  directory: Argument.String('directory').pipe(
    Argument.withDescription(
      'Measured runs: run documents, results of vllm bench serve with a deployment.json, sweeps, step traces.',
    ),
  ),
  html: Flag.String('html').pipe(
    Flag.withMetavar('FILE'),
    Flag.withDescription('Also write a report with plots of predicted against measured.'),
    Flag.optional,
  ),
  parameters: Flag.String('parameters').pipe(
    Flag.withMetavar('FILE'),
    Flag.withDescription('Fitted parameters, as windtunnel calibrate writes them, in place of the registered ones.'),
    Flag.optional,
  ),
  json: jsonFlag,
}

interface Input {
  readonly directory: string
  readonly html: Option.Option<string>
  readonly parameters: Option.Option<string>
  readonly json: boolean
}

export const validate = Command.make('validate', flags, action(runValidation)).pipe(
  Command.withDescription('Simulate measured runs and compare: errors overall, by group and run by run.'),
  Command.withExamples([
    { command: 'windtunnel validate measured/ --html report.html', description: 'Your own runs, with plots' },
    { command: 'windtunnel validate measured/ --json', description: 'For a script' },
  ]),
)

async function runValidation(input: Input): Promise<void> {
  const {
    readDirectory,
    validate: compare,
    validationDocument,
    validationHtml,
    validationText,
  } = await import('@windtunnel/study/validate/index')
  const { note, print, printJson } = await import('../output/print.ts')
  if (Option.isSome(input.html)) (await import('../files/folder.ts')).requireWritable(input.html.value)
  const tuning = Option.isSome(input.parameters) ? await tuningOf(input.parameters.value) : undefined
  const validation = compare(readDirectory(input.directory), tuning === undefined ? {} : { tuning })
  const document = validationDocument(validation)
  if (Option.isSome(input.html)) {
    const { writeWhole } = await import('../files/outputFile.ts')
    await writeWhole(input.html.value, [validationHtml(validation)])
    note(`report written to ${input.html.value}`)
  }
  await (input.json ? printJson(document) : print(validationText(document)))
}

async function tuningOf(path: string) {
  const { readParameterFile } = await import('@windtunnel/cost/calibration/parameterFile')
  const { tuningFrom } = await import('@windtunnel/study/calibrate/index')
  const { readTextFile } = await import('../input/textFile.ts')
  return tuningFrom(readParameterFile(await readTextFile(path), path))
}
