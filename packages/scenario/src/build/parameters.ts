import { type ParameterFile, readParameterFile } from '@windtunnel/cost/calibration/parameterFile'
import type { Scenario } from '../schema/scenario.ts'
import { at, BuildError } from './buildError.ts'
import type { ScenarioFiles } from './files.ts'

/** What a scenario says of its fitted parameters: the name of their file, or their text itself, which begins with a brace. */
const statedIn = ({ cost }: Scenario): string | undefined =>
  cost.backend === 'calibrated' ? cost.parameters : undefined

const isText = (stated: string): boolean => stated.trimStart().startsWith('{')

/** The file of fitted parameters that an app has to open for a scenario; undefined where it names none or holds their text. */
export function parameterFileOf(scenario: Scenario): string | undefined {
  const stated = statedIn(scenario)
  return stated === undefined || isText(stated) ? undefined : stated
}

/** The fitted parameters of a scenario; undefined where it has none. Throws a BuildError when they cannot be read. */
export function parametersOf(scenario: Scenario, files: ScenarioFiles): ParameterFile | undefined {
  const stated = statedIn(scenario)
  if (stated === undefined) return undefined
  if (isText(stated)) return at('cost', () => readParameterFile(stated, 'cost.parameters'))
  const text = files.parameters
  if (text === undefined) {
    throw new BuildError(
      'cost',
      `parameters names the file ${stated}, which cannot be opened here; write the text of the file in its place ` +
        '(`parameters: |`, then its lines indented), or run the scenario from the command line',
    )
  }
  return at('cost', () => readParameterFile(text, stated))
}
