import type { Architecture } from '../architecture.ts'
import type { Dtype } from '../dtypes.ts'
import { UnknownName } from '../unknownName.ts'
import { ConfigError } from './configError.ts'
import { ConfigFields, isObject, type JsonObject } from './configFields.ts'
import { familyByModelType, modelTypes } from './families/index.ts'
import { storedDtype } from './storedDtype.ts'

/** What a config.json said, and what it left open. */
export interface ConfigReading {
  readonly architecture: Architecture
  /** The dtype most weights are stored in; undefined where the file does not say. */
  readonly storedDtype: Dtype | undefined
  /** Fields that were absent and took the default of the family's published code. */
  readonly defaulted: readonly string[]
  /** Fields that this reader knows neither to use nor to leave the shapes alone: check them before you trust the rest. */
  readonly notUnderstood: readonly string[]
}

/** The language model's own fields: those under `text_config`, over the outer ones, in a file of a multimodal model. */
const languageModel = (config: JsonObject): { fields: ConfigFields; outer: ConfigFields; modelType: unknown } => {
  const outer = new ConfigFields(config)
  const text = outer.value('text_config')
  if (text === undefined) return { fields: outer, outer, modelType: config['model_type'] }
  if (!isObject(text)) throw new ConfigError('text_config', 'an object', text)
  const inherited = Object.fromEntries(
    ['tie_word_embeddings', 'vocab_size']
      .filter((name) => text[name] === undefined && config[name] !== undefined)
      .map((name) => [name, outer.value(name)]),
  )
  const fields = new ConfigFields({ ...inherited, ...text }, 'text_config.')
  return { fields, outer, modelType: text['model_type'] ?? config['model_type'] }
}

/** Every token can visit each expert once at most. */
const requireEnoughExperts = (fields: ConfigFields, shape: Pick<Architecture, 'layers'>): void => {
  for (const { mlp } of shape.layers) {
    if (mlp.kind !== 'moe' || mlp.expertsPerToken <= mlp.experts) continue
    const name = fields.has('num_experts_per_tok') ? 'num_experts_per_tok' : 'experts_per_token'
    throw new ConfigError(fields.path(name), `at most the ${mlp.experts} experts of a layer`, mlp.expertsPerToken)
  }
}

/**
 * Reads the parsed config.json of a Hugging Face model. Pure: it opens no file. The vision tower of a multimodal model is
 * left out. Throws `ConfigError` for a field that is missing, of the wrong form or of a value it does not know, and
 * `UnknownName` for a `model_type` that no family has.
 * @param name what to call the architecture; the file's `_name_or_path` or `model_type` unless given
 */
export const readConfig = (config: unknown, name?: string): ConfigReading => {
  if (!isObject(config)) throw new ConfigError('(whole file)', 'a JSON object', config)
  const { fields, outer, modelType } = languageModel(config)
  if (typeof modelType !== 'string') throw new ConfigError(fields.path('model_type'), 'text', modelType)
  const family = familyByModelType.get(modelType)
  if (family === undefined) throw new UnknownName('model_type in config.json', modelType, modelTypes)
  const shape = family.read(fields)
  requireEnoughExperts(fields, shape)
  const stated = config['_name_or_path']
  const title = typeof stated === 'string' && stated !== '' ? stated : modelType
  const dtype = storedDtype(fields) ?? (outer === fields ? undefined : storedDtype(outer))
  return {
    architecture: { name: name ?? title, title, ...shape, source: 'config.json' },
    storedDtype: dtype,
    defaulted: fields.defaulted(),
    notUnderstood: [...new Set([...fields.notUnderstood(), ...outer.notUnderstood()])],
  }
}
