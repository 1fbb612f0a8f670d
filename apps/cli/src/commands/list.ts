import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import { action } from '../action.ts'
import { jsonFlag } from '../input/scenarioFlags.ts'
import { listingNames, listings } from '../listings/index.ts'

const flags = {
  kind: Argument.Literals('kind', listingNames).pipe(Argument.withDescription('What to list.')),
  json: jsonFlag,
}

interface Input {
  readonly kind: (typeof listingNames)[number]
  readonly json: boolean
}

export const list = Command.make(
  'list',
  flags,
  action(async (input: Input) => {
    const { print, printJson } = await import('../output/print.ts')
    const { table } = await import('../output/table.ts')
    const entries = await listings[input.kind]()
    if (input.json) return printJson(entries)
    await print(
      table(
        ['', ''],
        entries.map((entry) => [entry.name, entry.sentence]),
      ),
    )
  }),
).pipe(
  Command.withDescription('List the names that a scenario may use.'),
  Command.withExamples([
    { command: 'windtunnel list hardware', description: 'Accelerators' },
    { command: 'windtunnel list presets', description: 'Scenarios that come along' },
  ]),
)
