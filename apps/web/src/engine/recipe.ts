import { addressOf } from '../shell/route.ts'
import { packText } from './shareLink.ts'

/** What gives a run again, on this engine: the scenario, and the log with its seed and its commands. */
export interface RunRecipe {
  /** Text of the scenario, YAML or JSON. */
  scenario: string
  log: { seed: number; commands: readonly unknown[] }
}

/** An address that plays the run again in a page without a server; `factsHash` is what it must come to. */
export const recipeAddress = async ({ scenario, log }: RunRecipe, factsHash: string | undefined): Promise<string> =>
  addressOf('live', {
    scenario: await packText(scenario),
    seed: String(log.seed),
    ...(log.commands.length === 0 ? {} : { log: await packText(JSON.stringify(log)) }),
    speed: '10',
    ...(factsHash === undefined ? {} : { facts: factsHash }),
  })

/** The trace file that a scenario replays, where it does: a link cannot hold it. */
export const traceIn = async (scenario: string): Promise<string | undefined> => {
  const { parseScenarioText } = await import('@windtunnel/scenario/document/parse')
  const value = parseScenarioText(scenario).value as { traffic?: { trace?: { file?: string } } }
  return value.traffic?.trace?.file
}
