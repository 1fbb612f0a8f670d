import { join, resolve } from 'node:path'
import { type Assertion, judge, readAssertion } from '@windtunnel/scenario/assertions/assertion'
import * as Option from 'effect/Option'
import type { RunInput } from '../commands/run.ts'
import type { ChosenExport } from '../exports/index.ts'
import { CliFault } from '../fault.ts'
import { refuseOverwrite, writeWhole } from '../files/outputFile.ts'
import { readCommandLog } from '../input/commandLogFile.ts'
import { loadPolicies } from '../input/policyFile.ts'
import { loadScenario } from '../input/scenarioFile.ts'
import { print, printJson } from '../output/print.ts'
import { summaryTable } from '../output/summaryTable.ts'
import { type RunResult, runLoaded } from './runLoaded.ts'

/** The verb `run`: everything that can be wrong with its words is said before the simulation begins. */
export async function runScenario(input: RunInput): Promise<void> {
  const assertions = input.assert.map(readAssertion)
  const log = await logOf(input)
  const seed = log === undefined ? input.seed : Option.orElse(input.seed, () => Option.some(log.seed))
  const loaded = await loadScenario({ ...input, seed })
  const paths = outputPaths(input)
  const decisions = await decisionsOf(input)
  const result = await runLoaded(loaded, {
    onDecision: decisions?.lines.take,
    exports: await exportsOf(input, paths?.requests),
    progress: true,
    speed: Option.getOrUndefined(input.speed),
    policies: await loadPolicies(input.policy),
    replay: log?.replay,
  })
  if (decisions !== undefined) await writeWhole(decisions.path, decisions.lines.pieces())
  if (paths !== undefined) {
    await writeWhole(paths.summary, [`${JSON.stringify(result.summary, undefined, 2)}\n`])
  }
  await report(result, input, assertions)
}

/** Where the choices of the routers go, when they are wanted. */
async function decisionsOf({ decisions, force }: RunInput) {
  if (Option.isNone(decisions)) return undefined
  refuseOverwrite([decisions.value], force)
  const { DecisionLines } = await import('../output/decisionLines.ts')
  return { path: decisions.value, lines: new DecisionLines() }
}

async function logOf({ replay, speed }: RunInput) {
  if (Option.isNone(replay)) return undefined
  if (Option.isSome(speed)) throw new CliFault('--replay goes at full speed only: leave out --speed, or --replay')
  return readCommandLog(replay.value)
}

/** The files of --export, and requests.csv of --out. The kinds are loaded only when some are wanted. */
async function exportsOf({ export: wanted, force }: RunInput, requests: string | undefined): Promise<ChosenExport[]> {
  if (wanted.length === 0 && requests === undefined) return []
  const { chosenExport } = await import('../exports/index.ts')
  const chosen = wanted.map(chosenExport)
  refuseOverwrite(
    chosen.map(({ path }) => path),
    force,
  )
  if (requests !== undefined) chosen.push(chosenExport(`requests-csv=${requests}`))
  refuseTwice(chosen.map(({ path }) => path))
  return chosen
}

function refuseTwice(paths: readonly string[]): void {
  const twice = paths.find((path, at) => paths.findIndex((other) => resolve(other) === resolve(path)) < at)
  if (twice !== undefined) throw new CliFault(`--export: ${twice} is named twice; give each file a name of its own`)
}

function outputPaths({ out, force }: RunInput): { summary: string; requests: string } | undefined {
  if (Option.isNone(out)) return undefined
  const paths = { summary: join(out.value, 'summary.json'), requests: join(out.value, 'requests.csv') }
  refuseOverwrite(Object.values(paths), force)
  return paths
}

/** Prints the figures, and fails when a claim does not hold. */
async function report({ summary, notes }: RunResult, input: RunInput, assertions: readonly Assertion[]): Promise<void> {
  const verdicts = assertions.map((assertion) => judge(assertion, summary))
  if (input.json) await printJson(summary)
  else await print([summaryTable(summary), ...notes.map((note) => `note: ${note}`)].join('\n'))
  const broken = verdicts.filter((verdict) => !verdict.holds)
  if (broken.length === 0) return
  const lines = broken.map(
    ({ assertion, found }) =>
      `assertion does not hold: ${assertion.text} (found ${found ?? 'no such figure in this run'})`,
  )
  throw new CliFault(lines.join('\nwindtunnel: '), 1)
}
