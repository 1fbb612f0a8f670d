import { type ParameterFile, readParameterFile } from '@windtunnel/cost/calibration/parameterFile'
import type { Scenario } from '../schema/scenario.ts'
import { at, BuildError } from './buildError.ts'
import type { ScenarioFiles } from './files.ts'

/** The fitted parameters that a scenario names; undefined where it names none. Throws a BuildError when they cannot be read. */
export function parametersOf({ cost }: Scenario, files: ScenarioFiles): ParameterFile | undefined {
  if (cost.backend !== 'calibrated' || cost.parameters === undefined) return undefined
  const { parameters } = cost
  const text = files.parameters
  if (text === undefined) throw new BuildError('cost', `the text of ${parameters} was not given with the scenario`)
  return at('cost', () => readParameterFile(text, parameters))
}
