import { join } from 'node:path'
import * as Command from 'effect/cli/Command'
import * as Flag from 'effect/cli/Flag'
import * as Option from 'effect/Option'
import { action } from '../action.ts'
import type { ScenarioChoices } from '../input/scenarioFile.ts'
import { jsonFlag, scenarioArgument, scenarioFlags } from '../input/scenarioFlags.ts'

const flags = {
  scenario: scenarioArgument,
  ...scenarioFlags,
  json: jsonFlag,
  out: Flag.String('out').pipe(
    Flag.withMetavar('DIR'),
    Flag.withDescription('Write summary.json and requests.csv into this folder.'),
    Flag.optional,
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
  policy: Flag.String('policy').pipe(
    Flag.withMetavar('FILE'),
    Flag.withDescription(
      'A router or scheduler of your own (TypeScript or JavaScript), in place of the one named. May be repeated.',
    ),
    Flag.atLeast(0),
  ),
  assert: Flag.String('assert').pipe(
    Flag.withMetavar('CLAIM'),
    Flag.withDescription('Exit with 1 when a claim such as "ttft.p99 < 0.5" does not hold. May be repeated.'),
    Flag.atLeast(0),
  ),
}

interface Input extends ScenarioChoices {
  readonly json: boolean
  readonly out: Option.Option<string>
  readonly force: boolean
  readonly speed: Option.Option<number>
  readonly policy: readonly string[]
  readonly assert: readonly string[]
}

export const run = Command.make('run', flags, action(runScenario)).pipe(
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

async function runScenario(input: Input): Promise<void> {
  const { readAssertion } = await import('@windtunnel/scenario/assertions/assertion')
  const { loadScenario } = await import('../input/scenarioFile.ts')
  const { refuseOverwrite, writeWhole } = await import('../files/outputFile.ts')
  const { loadPolicies } = await import('../input/policyFile.ts')
  const { runLoaded } = await import('../run/runLoaded.ts')
  const assertions = input.assert.map(readAssertion)
  const loaded = await loadScenario(input)
  const folder = Option.getOrUndefined(input.out)
  const summaryPath = folder === undefined ? undefined : join(folder, 'summary.json')
  const requestsPath = folder === undefined ? undefined : join(folder, 'requests.csv')
  if (summaryPath !== undefined && requestsPath !== undefined) refuseOverwrite([summaryPath, requestsPath], input.force)
  const result = await runLoaded(loaded, {
    requests: requestsPath !== undefined,
    progress: true,
    speed: Option.getOrUndefined(input.speed),
    policies: await loadPolicies(input.policy),
  })
  if (requestsPath !== undefined) await writeWhole(requestsPath, result.requests)
  if (summaryPath !== undefined) await writeWhole(summaryPath, [`${JSON.stringify(result.summary, undefined, 2)}\n`])
  await report(result, input, assertions)
}

type RunResult = import('../run/runLoaded.ts').RunResult
type Assertions = readonly import('@windtunnel/scenario/assertions/assertion').Assertion[]

async function report(result: RunResult, input: Input, assertions: Assertions): Promise<void> {
  const { summary } = result
  const { judge } = await import('@windtunnel/scenario/assertions/assertion')
  const { print, printJson } = await import('../output/print.ts')
  const verdicts = assertions.map((assertion) => judge(assertion, summary))
  if (input.json) await printJson(summary)
  else {
    const { summaryTable } = await import('../output/summaryTable.ts')
    await print([summaryTable(summary), ...result.notes.map((note) => `note: ${note}`)].join('\n'))
  }
  const broken = verdicts.filter((verdict) => !verdict.holds)
  if (broken.length === 0) return
  const { CliFault } = await import('../fault.ts')
  const lines = broken.map(
    ({ assertion, found }) =>
      `assertion does not hold: ${assertion.text} (found ${found ?? 'no such figure in this run'})`,
  )
  throw new CliFault(lines.join('\nwindtunnel: '), 1)
}
