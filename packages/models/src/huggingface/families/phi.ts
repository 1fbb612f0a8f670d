import { repeat } from '../../architecture.ts'
import { readGatedMlp, readHeads, readLocalExperts, readOuter, windowed } from './common.ts'
import type { Family } from './family.ts'

/** Phi 1 to 2: attention and a plain MLP in parallel behind one layer norm, biases everywhere. */
export const phi: Family = {
  modelTypes: ['phi'],
  read: (fields) => {
    fields.require('qk_layernorm', [false], 'false: norms of queries and keys are not known here')
    return {
      ...readOuter(fields, false),
      unembeddingBias: true,
      norm: 'layer',
      normsPerLayer: 1,
      layers: repeat(fields.layerCount(), {
        attention: { kind: 'full', ...readHeads(fields), qkvBias: true, outputBias: true },
        mlp: { kind: 'dense', intermediateSize: fields.count('intermediate_size'), gated: false, bias: true },
      }),
    }
  },
}

/** Phi 3, 3.5 and 4: the Llama form. A window as long as the context is none. */
export const phi3: Family = {
  modelTypes: ['phi3'],
  read: (fields) => {
    fields.require('attention_bias', [false], 'false: biases of this family are not known')
    const outer = readOuter(fields, false)
    const window = fields.optionalCount('sliding_window')
    const binds = window !== undefined && window < outer.maxContextTokens
    return {
      ...outer,
      layers: repeat(fields.layerCount(), {
        attention: windowed(readHeads(fields), binds ? window : undefined),
        mlp: readGatedMlp(fields),
      }),
    }
  },
}

/** Phi-3.5-MoE: layer norms, biases in attention and unembedding, experts in all layers. */
export const phimoe: Family = {
  modelTypes: ['phimoe'],
  read: (fields) => {
    const bias = fields.flagOr('attention_bias', false)
    const outer = readOuter(fields, false)
    const window = fields.optionalCount('sliding_window')
    const binds = window !== undefined && window < outer.maxContextTokens
    const heads = { ...readHeads(fields), ...(bias ? { qkvBias: true, outputBias: true } : {}) }
    return {
      ...outer,
      ...(fields.flagOr('lm_head_bias', false) ? { unembeddingBias: true } : {}),
      norm: 'layer',
      layers: repeat(fields.layerCount(), {
        attention: windowed(heads, binds ? window : undefined),
        mlp: readLocalExperts(fields),
      }),
    }
  },
}
