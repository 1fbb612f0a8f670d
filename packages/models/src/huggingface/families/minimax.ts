import { repeat } from '../../architecture.ts'
import { ConfigError } from '../configError.ts'
import { readHeads, readLocalExperts, readOuter } from './common.ts'
import type { Family } from './family.ts'

/** MiniMax M2: full attention with norms over all heads, experts without shared ones. */
export const minimaxM2: Family = {
  modelTypes: ['minimax_m2'],
  read: (fields) => {
    const types = fields.list('attn_type_list') ?? []
    if (types.some((type) => type !== 1))
      throw new ConfigError(fields.path('attn_type_list'), 'only 1, full attention', types)
    fields.require('shared_intermediate_size', [0], '0: no shared expert')
    fields.require('qk_norm_type', ['per_layer'], 'per_layer')
    fields.require('attention_bias', [false], 'false: biases of this family are not known')
    const norm = fields.flagOr('use_qk_norm', false)
    const routerBias = fields.flagOr('use_routing_bias', false)
    return {
      ...readOuter(fields, false),
      layers: repeat(fields.layerCount(), {
        attention: { kind: 'full', ...readHeads(fields), ...(norm ? { qkNorm: 'all-heads' } : {}) },
        mlp: { ...readLocalExperts(fields), ...(routerBias ? { routerBias: true } : {}) },
      }),
    }
  },
}
