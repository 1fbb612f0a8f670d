import { readScenario } from '@windtunnel/scenario/schema/decode'
import type { PrepareRun } from '@windtunnel/server/run/preparedRun'
import { prepareScenario } from '@windtunnel/server/run/scenarioRun'

/** Makes the text of a scenario ready for a live run. Throws a ScenarioError or a BuildError with a sentence for the user. */
export const prepareText = (text: string): PrepareRun => prepareScenario(readScenario(text))
