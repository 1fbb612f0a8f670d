import type { HeadShape } from '../../layers/attention.ts'
import type { ConfigFields } from '../configFields.ts'
import { full, localGlobalLayers, readGatedMlp, readHeads, readOuter, windowed } from './common.ts'
import type { Family } from './family.ts'

const outer = (fields: ConfigFields) => ({ ...readOuter(fields, true), normsPerLayer: 4 })

/** Gemma 2: every second layer has a window, the first one too. */
export const gemma2: Family = {
  modelTypes: ['gemma2'],
  read: (fields) => {
    fields.require('attention_bias', [false], 'false: biases of this family are not known')
    const heads = readHeads(fields)
    const attention = { local: windowed(heads, fields.count('sliding_window')), global: full(heads) }
    return {
      ...outer(fields),
      layers: localGlobalLayers(fields, attention, readGatedMlp(fields), (index) => index % 2 === 0),
    }
  },
}

/** Gemma3TextConfig of the published code; the files of its larger models leave out what equals it. */
const gemma3Heads = (fields: ConfigFields): HeadShape => ({
  queryHeads: fields.countOr('num_attention_heads', 8),
  kvHeads: fields.countOr('num_key_value_heads', 4),
  headDim: fields.countOr('head_dim', 256),
  qkNorm: 'per-head',
})

/** Gemma 3: five layers with a window, then a full one. */
export const gemma3: Family = {
  modelTypes: ['gemma3_text', 'gemma3'],
  read: (fields) => {
    fields.require('attention_bias', [false], 'false: biases of this family are not known')
    const heads = gemma3Heads(fields)
    const attention = { local: windowed(heads, fields.countOr('sliding_window', 4096)), global: full(heads) }
    const period = fields.countOr('sliding_window_pattern', fields.countOr('_sliding_window_pattern', 6))
    return {
      hiddenSize: fields.count('hidden_size'),
      vocabSize: fields.countOr('vocab_size', 262208),
      tiedEmbeddings: fields.flagOr('tie_word_embeddings', true),
      maxContextTokens: fields.countOr('max_position_embeddings', 131072),
      norm: 'rms',
      normsPerLayer: 4,
      layers: localGlobalLayers(fields, attention, readGatedMlp(fields), (index) => (index + 1) % period !== 0),
    }
  },
}
