import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import { action } from '../action.ts'
import { CliFault } from '../fault.ts'
import type { ScenarioChoices } from '../input/scenarioFile.ts'
import { scenarioFlags } from '../input/scenarioFlags.ts'

const flags = {
  scenario: Argument.String('scenario').pipe(
    Argument.withDescription('A scenario file, or the name of a preset.'),
    Argument.withDefault('demo-chat'),
  ),
  ...scenarioFlags,
  host: Flag.String('host').pipe(
    Flag.withDescription('Address to listen on; others than loopback open the page to the network.'),
    Flag.withDefault('127.0.0.1'),
  ),
  port: Flag.Int('port').pipe(
    Flag.withDescription('Port; another free one is taken, and said, when it is in use.'),
    Flag.withDefault(4173),
  ),
}

type Input = ScenarioChoices & { readonly host: string; readonly port: number }

export const serve = Command.make(
  'serve',
  flags,
  action(async (input: Input) => {
    if (input.port < 0 || input.port > 65535)
      throw new CliFault(`--port ${input.port}: expected a whole number from 0 (any free one) to 65535`)
    const { loadScenario } = await import('../input/scenarioFile.ts')
    const loaded = await loadScenario(input)
    const { serve: start } = await import('@windtunnel/server')
    await start({ scenario: loaded.scenario, folder: loaded.folder, host: input.host, port: input.port })
  }),
).pipe(
  Command.withDescription('Run a scenario live and show it in the browser.'),
  Command.withExamples([
    { command: 'windtunnel serve', description: 'The demo scenario on http://127.0.0.1:4173' },
    { command: 'windtunnel serve examples/azure-conversation.yaml --port 8080', description: 'Your own scenario' },
  ]),
)
