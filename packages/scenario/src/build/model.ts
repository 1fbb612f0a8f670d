import { model } from '@windtunnel/models'
import type { Scenario } from '../schema/scenario.ts'
import { at, BuildError } from './buildError.ts'
import type { ScenarioFiles } from './files.ts'
import { type ModelReading, readModelConfig } from './modelConfig.ts'

/** The model of a scenario. Throws a BuildError when its config.json was not given or cannot be read. */
export function modelOf(scenario: Scenario, files: ScenarioFiles): ModelReading {
  const named = scenario.model
  if (typeof named === 'string') return { architecture: at('model', () => model(named)), warnings: [] }
  const text = files.modelConfig
  if (text === undefined) throw new BuildError('model', `the text of ${named.config} was not given with the scenario`)
  return at('model', () => readModelConfig(text, named.config))
}
