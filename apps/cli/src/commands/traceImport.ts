import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'

interface Input {
  readonly files: readonly string[]
  readonly json: boolean
}

export const traceImport = Command.make(
  'import',
  {
    files: Argument.String('file').pipe(
      Argument.withDescription(
        'A workload description (YAML, JSON or TOML), or the trace and the dataset of a ServeGen client.',
      ),
      Argument.between(1, 2),
    ),
    json: jsonFlag,
  },
  action(async (input: Input) => {
    const { importedSections } = await import('../trace/importedScenario.ts')
    const { print, printJson } = await import('../output/print.ts')
    const { sections, remarks } = await importedSections(input.files)
    if (input.json) return printJson({ ...sections, remarks })
    const { stringify } = await import('yaml')
    await print([...remarks.map((remark) => `# ${remark}`), stringify(sections).trimEnd()].join('\n'))
  }),
).pipe(
  Command.withDescription(
    "Turn another tool's workload description (BLIS, inference-perf, inference-lab, ServeGen) into sections of a scenario file.",
  ),
  Command.withExamples([
    { command: 'windtunnel trace import workload.yaml', description: 'A BLIS or inference-perf workload' },
    {
      command: 'windtunnel trace import chunk-7-trace.csv chunk-7-dataset.json',
      description: 'One client of ServeGen',
    },
  ]),
)
