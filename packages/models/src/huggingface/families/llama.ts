import { repeat } from '../../architecture.ts'
import { full, readGatedMlp, readHeads, readLocalExperts, readOuter, windowed } from './common.ts'
import type { Family } from './family.ts'

/** Llama 1 to 3 and models of the same form, such as Yi and CodeLlama. */
export const llama: Family = {
  modelTypes: ['llama'],
  read: (fields) => {
    const bias = fields.flagOr('attention_bias', false)
    const heads = { ...readHeads(fields), ...(bias ? { qkvBias: true, outputBias: true } : {}) }
    const mlp = { ...readGatedMlp(fields), ...(fields.flagOr('mlp_bias', false) ? { bias: true } : {}) }
    return {
      ...readOuter(fields, false),
      layers: repeat(fields.layerCount(), { attention: full(heads), mlp }),
    }
  },
}

/** Mistral: a sliding window in all layers, where `sliding_window` is a number. */
export const mistral: Family = {
  modelTypes: ['mistral', 'ministral'],
  read: (fields) => ({
    ...readOuter(fields, false),
    layers: repeat(fields.layerCount(), {
      attention: windowed(readHeads(fields), fields.optionalCount('sliding_window')),
      mlp: readGatedMlp(fields),
    }),
  }),
}

/** Mixtral: experts in all layers. */
export const mixtral: Family = {
  modelTypes: ['mixtral'],
  read: (fields) => ({
    ...readOuter(fields, false),
    layers: repeat(fields.layerCount(), {
      attention: windowed(readHeads(fields), fields.optionalCount('sliding_window')),
      mlp: readLocalExperts(fields),
    }),
  }),
}
