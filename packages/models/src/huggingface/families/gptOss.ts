import type { HeadShape } from '../../layers/attention.ts'
import { full, localGlobalLayers, readHeads, readOuter, windowed } from './common.ts'
import type { Family } from './family.ts'

/** gpt-oss: windows and full attention in turn, sinks, and biases in attention, router and experts. */
export const gptOss: Family = {
  modelTypes: ['gpt_oss'],
  read: (fields) => {
    const bias = fields.flagOr('attention_bias', true)
    const heads: HeadShape = {
      ...readHeads(fields),
      ...(bias ? { qkvBias: true, outputBias: true } : {}),
      sinks: true,
    }
    const attention = { local: windowed(heads, fields.count('sliding_window')), global: full(heads) }
    const perToken = fields.has('num_experts_per_tok') ? 'num_experts_per_tok' : 'experts_per_token'
    fields.value('experts_per_token')
    return {
      ...readOuter(fields, false),
      layers: localGlobalLayers(
        fields,
        attention,
        {
          kind: 'moe',
          experts: fields.count('num_local_experts'),
          expertsPerToken: fields.count(perToken),
          expertIntermediateSize: fields.count('intermediate_size'),
          gated: true,
          sharedExperts: 0,
          routerBias: true,
          expertBias: true,
        },
        (index) => index % 2 === 0,
      ),
    }
  },
}
