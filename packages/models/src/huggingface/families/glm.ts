import type { GroupedAttention } from '../../layers/attention.ts'
import { readHeads, readOuter } from './common.ts'
import { denseThenSparse, readRoutedExperts } from './deepseek.ts'
import type { Family } from './family.ts'

/** GLM-4.5 to 4.7: grouped queries, dense layers first, shared experts. */
export const glm4Moe: Family = {
  modelTypes: ['glm4_moe'],
  read: (fields) => {
    const bias = fields.flagOr('attention_bias', false)
    const norm = fields.flagOr('use_qk_norm', false)
    const attention: GroupedAttention = {
      kind: 'full',
      ...readHeads(fields),
      ...(bias ? { qkvBias: true } : {}),
      ...(norm ? { qkNorm: 'per-head' } : {}),
    }
    const layers = denseThenSparse(fields, attention, readRoutedExperts(fields, true))
    fields.value('intermediate_size')
    return { ...readOuter(fields, false), layers }
  },
}
