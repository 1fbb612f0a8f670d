import { scenarioOption } from '../schema/scenario.ts'
import { fullScenarioText } from './fullYaml.ts'
import { jsonSchemaDocument } from './jsonSchema.ts'
import { scenarioReference } from './markdown.ts'
import { starterValue } from './starter.ts'

/** A scenario with every option, its unit, bounds and default. */
export const fullText = (): string => fullScenarioText(scenarioOption.doc, starterValue)

/** The JSON Schema of the scenario file, for editors. */
export const jsonSchemaText = (): string => `${JSON.stringify(jsonSchemaDocument(scenarioOption.doc), undefined, 2)}\n`

/** The reference page of the scenario file, in Markdown. */
export const referenceText = (): string =>
  [
    '# The scenario file',
    '',
    'YAML or JSON. Generated from the schema: every option with its unit, bounds, default and what it does.',
    '`./windtunnel init --full` writes a scenario with all of them, `./windtunnel init schema.json --json-schema` the JSON Schema.',
    '',
    scenarioReference(scenarioOption.doc),
  ].join('\n')
