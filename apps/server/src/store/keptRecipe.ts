import { RunLog } from '@windtunnel/protocol'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { checkScenario } from '@windtunnel/scenario/schema/decode'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { Schema } from 'effect'
import type { StoredRun } from './runStore.ts'

const readLog = Schema.decodeUnknownSync(Schema.fromJsonString(RunLog))

/** What a kept run is made from again: with these three the same facts come out. */
export interface KeptRecipe {
  readonly scenario: Scenario
  readonly seed: number
  readonly replay: readonly LoggedCommand[]
}

/** Reads the documents of a kept run. Throws when the scenario is not valid for this version, with what is wrong. */
export function recipeOf({ id, scenarioDocument, seed, log }: StoredRun): KeptRecipe {
  const commands = readLog(log).commands
  return {
    scenario: checkScenario(JSON.parse(scenarioDocument), `kept run ${id}`),
    seed,
    replay: commands.map(({ seconds, ticks, command }) => ({ time: { seconds, ticks }, command })),
  }
}
