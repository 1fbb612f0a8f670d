import * as Argument from 'effect/cli/Argument'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import { action } from '../action.ts'
import type { ScenarioChoices } from '../input/scenarioFile.ts'
import { jsonFlag, scenarioFlags } from '../input/scenarioFlags.ts'

const flags = {
  scenarios: Argument.String('scenario').pipe(
    Argument.withDescription('Scenario files or presets; all are compared with the first.'),
    Argument.atLeast(1),
  ),
  ...scenarioFlags,
  vary: Flag.String('vary').pipe(
    Flag.withMetavar('PATH=VALUE,VALUE'),
    Flag.withDescription(
      'Makes a variant of every scenario for each value, such as router=random,kv-aware. Repeated: every combination.',
    ),
    Flag.atLeast(0),
  ),
  policy: Flag.String('policy').pipe(
    Flag.withMetavar('FILE'),
    Flag.withDescription(
      'A router or scheduler of your own, as one more variant beside those of --vary router=... or --vary fleet[0].engine.scheduler=..., or beside the one named. May be repeated.',
    ),
    Flag.atLeast(0),
  ),
  seeds: Flag.Int('seeds').pipe(
    Flag.withDescription('How many seeds, counted up from --seed or the seed of the first scenario.'),
    Flag.filter(
      (seeds) => seeds >= 1 && seeds <= 1000,
      (seeds) => `1 to 1000, not ${seeds}`,
    ),
    Flag.withDefault(5),
  ),
  threads: Flag.Int('threads').pipe(
    Flag.withDescription('Runs at a time; without it as many as this machine has cores. Changes no figure.'),
    Flag.filter(
      (threads) => threads >= 1,
      (threads) => `1 or more, not ${threads}`,
    ),
    Flag.optional,
  ),
  json: jsonFlag,
}

/** What the words after `compare` say. */
export interface CompareInput extends Omit<ScenarioChoices, 'scenario'> {
  readonly scenarios: readonly string[]
  readonly vary: readonly string[]
  readonly policy: readonly string[]
  readonly seeds: number
  readonly threads: import('effect/Option').Option<number>
  readonly json: boolean
}

export const compare = Command.make(
  'compare',
  flags,
  action(async (input: CompareInput) => (await import('../compare/compareScenarios.ts')).compareScenarios(input)),
).pipe(
  Command.withDescription('Run variants on the same traffic, and print what is different and how sure that is.'),
  Command.withExamples([
    {
      command: 'windtunnel compare shared-prefix-routing --vary router=random,kv-aware --seeds 5',
      description: 'Two routers',
    },
    {
      command: 'windtunnel compare shared-prefix-routing --vary router=random,kv-aware --policy ./my-router.ts',
      description: 'A router of your own with them',
    },
    { command: 'windtunnel compare now.yaml then.yaml --json', description: 'Two files, for a program' },
  ]),
)
