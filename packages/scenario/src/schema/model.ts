import { modelNames, presets } from '@windtunnel/models'
import { choice, either, group, text } from './options.ts'

const aliases = modelNames.flatMap((name) => [presets[name].title, ...presets[name].aliases])

/** The model that every pool serves. */
export const model = either(
  [
    choice<string>(modelNames, { sentence: 'A model of the registry.', example: 'llama-3.1-8b' }, aliases),
    group(
      {
        config: text({
          sentence: 'A Hugging Face config.json; relative to the scenario file.',
          example: 'config.json',
        }),
      },
      { sentence: 'A model read from a file.' },
    ),
  ],
  { sentence: 'The model that every pool serves: a name, or { config: FILE }.', example: 'llama-3.1-8b' },
)
