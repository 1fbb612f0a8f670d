import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import type * as Option from 'effect/Option'
import { action } from '../action.ts'
import type { ScenarioChoices } from '../input/scenarioFile.ts'
import { jsonFlag, policyFlag, scenarioArgument, scenarioFlags } from '../input/scenarioFlags.ts'

const flags = {
  scenario: scenarioArgument,
  ...scenarioFlags,
  json: jsonFlag,
  out: Flag.String('out').pipe(
    Flag.withMetavar('DIR'),
    Flag.withDescription('Write summary.json and requests.csv into this folder.'),
    Flag.optional,
  ),
  export: Flag.String('export').pipe(
    Flag.withMetavar('KIND=FILE'),
    Flag.withDescription(
      'Write another file: requests-csv, requests-jsonl, requests-parquet, series, vllm, sglang, aiperf, aiperf-records, guidellm, prometheus, perfetto or html. May be repeated.',
    ),
    Flag.atLeast(0),
  ),
  force: Flag.Boolean('force').pipe(Flag.withDescription('Overwrite files that exist.'), Flag.withDefault(false)),
  speed: Flag.Finite('speed').pipe(
    Flag.withDescription(
      'Virtual seconds per second of yours, as the live view plays it; without it as fast as it goes.',
    ),
    Flag.filter(
      (speed) => speed > 0,
      (speed) => `a number above 0, not ${speed}`,
    ),
    Flag.optional,
  ),
  replay: Flag.String('replay').pipe(
    Flag.withMetavar('LOG'),
    Flag.withDescription(
      'Repeat a live run: its seed and commands, from the address /api/runs/NAME/log of the server.',
    ),
    Flag.optional,
  ),
  decisions: Flag.String('decisions').pipe(
    Flag.withMetavar('FILE'),
    Flag.withDescription(
      'Write every choice of the router as a line of JSON: the replica, the reason, and what every candidate scored.',
    ),
    Flag.optional,
  ),
  policy: policyFlag,
  assert: Flag.String('assert').pipe(
    Flag.withMetavar('CLAIM'),
    Flag.withDescription('Exit with 1 when a claim such as "ttft.p99 < 0.5" does not hold. May be repeated.'),
    Flag.atLeast(0),
  ),
}

/** What the words after `run` say. */
export interface RunInput extends ScenarioChoices {
  readonly json: boolean
  readonly out: Option.Option<string>
  readonly export: readonly string[]
  readonly force: boolean
  readonly speed: Option.Option<number>
  readonly replay: Option.Option<string>
  readonly decisions: Option.Option<string>
  readonly policy: readonly string[]
  readonly assert: readonly string[]
}

export const run = Command.make(
  'run',
  flags,
  action(async (input: RunInput) => (await import('../run/runScenario.ts')).runScenario(input)),
).pipe(
  Command.withDescription('Simulate a scenario and print its figures.'),
  Command.withExamples([
    { command: 'windtunnel run demo-chat', description: 'Run a preset' },
    {
      command: 'windtunnel run scenario.yaml --set fleet[0].replicas=4 --json',
      description: 'Change it, for a program',
    },
    { command: 'windtunnel run scenario.yaml --assert "ttft.p99 < 0.5"', description: 'Fail when a promise is broken' },
  ]),
)
