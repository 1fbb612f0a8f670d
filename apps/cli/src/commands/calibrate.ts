import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

const flags = {
  directory: Argument.String('directory').pipe(
    Argument.withDescription('Kernel tables (*.csv), or with --from-serving measured runs as for windtunnel validate.'),
  ),
  fromServing: Flag.Boolean('from-serving').pipe(
    Flag.withDescription("Fit the engine's overheads to measured serving runs, in place of kernels to tables."),
    Flag.withDefault(false),
  ),
  accelerator: Flag.String('accelerator').pipe(
    Flag.withMetavar('NAME'),
    Flag.withDescription('Fit the kernels of this accelerator alone.'),
    Flag.optional,
  ),
  output: Flag.String('output').pipe(
    Flag.withAlias('o'),
    Flag.withMetavar('FILE'),
    Flag.withDescription('Where the fitted parameters go.'),
    Flag.withDefault('parameters.json'),
  ),
  force: Flag.Boolean('force').pipe(Flag.withDescription('Overwrite that file.'), Flag.withDefault(false)),
  json: jsonFlag,
}

interface Input {
  readonly directory: string
  readonly fromServing: boolean
  readonly accelerator: Option.Option<string>
  readonly output: string
  readonly force: boolean
  readonly json: boolean
}

export const calibrate = Command.make('calibrate', flags, action(runCalibration)).pipe(
  Command.withDescription('Fit the cost model to your own system: kernels to tables, overheads to serving runs.'),
  Command.withExamples([
    { command: 'windtunnel calibrate tables/ -o h100.json', description: 'Kernels, judged on rows not seen' },
    { command: 'windtunnel calibrate --from-serving runs/ -o ours.json', description: 'Overheads of your deployment' },
  ]),
)

async function runCalibration(input: Input): Promise<void> {
  const { refuseOverwrite, writeWhole } = await import('../files/outputFile.ts')
  const { parameterFileJson } = await import('@windtunnel/cost/calibration/parameterFile')
  const { note, print, printJson } = await import('../output/print.ts')
  refuseOverwrite([input.output], input.force)
  const { calibration, text } = await (input.fromServing ? fromServing(input) : fromKernels(input))
  await writeWhole(input.output, [parameterFileJson(calibration.file)])
  await (input.json ? printJson(calibration) : print(text))
  note(`parameters written to ${input.output}; a scenario uses them through cost.parameters`)
}

async function fromServing({ directory }: Input) {
  const { calibrateServing, servingCalibrationText } = await import('@windtunnel/study/calibrate/index')
  const { readDirectory } = await import('@windtunnel/study/validate/index')
  const calibration = calibrateServing(readDirectory(directory), directory)
  return { calibration, text: servingCalibrationText(calibration) }
}

async function fromKernels({ directory, accelerator }: Input) {
  const { calibrateKernels, kernelCalibrationText } = await import('@windtunnel/study/calibrate/index')
  const calibration = calibrateKernels(directory, Option.getOrUndefined(accelerator))
  return { calibration, text: kernelCalibrationText(calibration) }
}
