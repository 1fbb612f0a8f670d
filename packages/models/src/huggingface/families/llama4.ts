import { type Layer, layersBy } from '../../architecture.ts'
import type { Mlp } from '../../layers/mlp.ts'
import { ConfigError } from '../configError.ts'
import type { ConfigFields } from '../configFields.ts'
import { readHeads, readOuter } from './common.ts'
import type { Family } from './family.ts'

/** Layers without rotary embedding see everything; by default every fourth one. `no_rope_layers` has 0 for those. */
const seesAll = (fields: ConfigFields, count: number): ((index: number) => boolean) => {
  const interval = fields.countOr('no_rope_layer_interval', 4)
  const rotary = fields.list('no_rope_layers') ?? []
  if (rotary.length > 0 && (rotary.length !== count || rotary.some((entry) => entry !== 0 && entry !== 1)))
    throw new ConfigError(fields.path('no_rope_layers'), `${count} entries of 0 or 1`, rotary)
  return (index) => (rotary.length > 0 ? rotary[index] === 0 : (index + 1) % interval === 0)
}

const sparseAt = (fields: ConfigFields): ((index: number) => boolean) => {
  const step = fields.countOr('interleave_moe_layer_step', 1)
  const listed = fields.list('moe_layers')
  return (index) => (listed === undefined ? (index + 1) % step === 0 : listed.includes(index))
}

const readMlps = (fields: ConfigFields): { sparse: Mlp; dense: Mlp } => {
  const size = fields.count('intermediate_size')
  const experts = fields.count('num_local_experts')
  const expertsPerToken = fields.count('num_experts_per_tok')
  return {
    sparse: {
      kind: 'moe',
      experts,
      expertsPerToken,
      expertIntermediateSize: size,
      gated: true,
      sharedExperts: 1,
      sharedExpertIntermediateSize: size,
    },
    dense: { kind: 'dense', intermediateSize: fields.count('intermediate_size_mlp'), gated: true },
  }
}

/** Llama 4, the language model: chunked attention with every fourth layer full, experts beside a shared one. */
export const llama4: Family = {
  modelTypes: ['llama4', 'llama4_text'],
  read: (fields) => {
    fields.require('attention_bias', [false], 'false: biases of this family are not known')
    fields.value('use_qk_norm') // a norm without weights
    const count = fields.layerCount()
    const heads = readHeads(fields)
    const windowTokens = fields.count('attention_chunk_size')
    const [all, isSparse, mlps] = [seesAll(fields, count), sparseAt(fields), readMlps(fields)]
    const attention = {
      full: { kind: 'full', ...heads },
      chunked: { kind: 'chunked', windowTokens, ...heads },
    } as const
    const layer = (index: number): Layer => ({
      attention: all(index) ? attention.full : attention.chunked,
      mlp: isSparse(index) ? mlps.sparse : mlps.dense,
    })
    return { ...readOuter(fields, false), layers: layersBy(count, layer) }
  },
}
