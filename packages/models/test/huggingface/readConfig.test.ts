import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  type Architecture,
  ConfigError,
  type ModelName,
  modelTypes,
  presets,
  readConfig,
  UnknownName,
} from '../../src/index.ts'
import * as configs from './configs.ts'

const pairs: readonly (readonly [object, ModelName])[] = [
  [configs.llama31, 'llama-3.1-8b'],
  [configs.mistralNemo, 'mistral-nemo-12b'],
  [configs.mixtral, 'mixtral-8x7b'],
  [configs.qwen25, 'qwen2.5-7b'],
  [configs.qwen2Moe, 'qwen2-57b-a14b'],
  [configs.qwen3, 'qwen3-32b'],
  [configs.qwen3Moe, 'qwen3-30b-a3b'],
  [configs.qwen35, 'qwen3.5-35b-a3b'],
  [configs.deepseekV2Lite, 'deepseek-v2-lite'],
  [configs.deepseekV3, 'deepseek-v3'],
  [configs.deepseekV4Flash, 'deepseek-v4-flash'],
  [configs.kimiK2, 'kimi-k2'],
  [configs.glm5, 'glm-5'],
  [configs.glm46, 'glm-4.5'],
  [configs.gemma2, 'gemma-2-9b'],
  [configs.gemma3, 'gemma-3-27b'],
  [configs.gptOss, 'gpt-oss-20b'],
  [configs.phi2, 'phi-2'],
  [configs.phi4, 'phi-4'],
  [configs.phi35Moe, 'phi-3.5-moe'],
  [configs.minimaxM2, 'minimax-m2'],
  [configs.llama4Scout, 'llama-4-scout'],
]

/** All that a config.json says; it knows neither source, sampling nor a vision tower. */
const shapesOf = (architecture: Architecture) => {
  const { hiddenSize, vocabSize, tiedEmbeddings, maxContextTokens, layers, norm, normsPerLayer } = architecture
  const { unembeddingBias = false } = architecture
  return { hiddenSize, vocabSize, tiedEmbeddings, maxContextTokens, layers, norm, normsPerLayer, unembeddingBias }
}

describe('a config.json of each family', () => {
  for (const [config, name] of pairs)
    it(`reads into the shapes of ${name}`, () => {
      const { architecture, notUnderstood } = readConfig(config, name)
      expect(shapesOf(architecture)).toEqual(shapesOf(presets[name]))
      expect(notUnderstood).toEqual([])
    })

  it('names every family of the scope among the known ones', () =>
    expect(modelTypes).toEqual(
      expect.arrayContaining([
        ...['llama', 'mistral', 'mixtral', 'qwen2', 'qwen2_moe', 'qwen3', 'qwen3_moe', 'deepseek_v2', 'deepseek_v3'],
        ...['gemma2', 'gemma3', 'gemma3_text', 'gpt_oss', 'phi', 'phi3', 'phimoe'],
      ]),
    ))
})

describe('windows', () => {
  it('fill all layers of a Mistral with one', () => {
    const { architecture } = readConfig({ ...configs.mistralNemo, sliding_window: 4096 })
    expect(architecture.layers.every(({ attention }) => attention.kind === 'sliding-window')).toBe(true)
  })

  it('start at max_window_layers in a Qwen that uses them', () => {
    const { architecture } = readConfig({
      ...configs.qwen25,
      use_sliding_window: true,
      sliding_window: 4096,
      max_window_layers: 20,
    })
    expect(architecture.layers.filter(({ attention }) => attention.kind === 'full')).toHaveLength(20)
    expect(architecture.layers[20]?.attention).toMatchObject({ kind: 'sliding-window', windowTokens: 4096 })
  })

  it('alternate in Gemma 2, first layer local, and follow layer_types where the file has them', () => {
    expect(readConfig(configs.gemma2).architecture.layers[0]?.attention.kind).toBe('sliding-window')
    const layer_types = Array.from({ length: 42 }, () => 'full_attention')
    const { architecture } = readConfig({ ...configs.gemma2, layer_types })
    expect(architecture.layers.every(({ attention }) => attention.kind === 'full')).toBe(true)
  })

  it('of Phi 3 count only when shorter than the context', () => {
    expect(readConfig({ ...configs.phi4, sliding_window: 2047 }).architecture.layers[0]?.attention.kind).toBe(
      'sliding-window',
    )
    expect(readConfig({ ...configs.phi4, sliding_window: 262144 }).architecture.layers[0]?.attention.kind).toBe('full')
  })
})

describe('layers of experts', () => {
  it('skip those that mlp_only_layers lists', () => {
    const { architecture } = readConfig({ ...configs.qwen3Moe, mlp_only_layers: [0, 5] })
    expect(architecture.layers.filter(({ mlp }) => mlp.kind === 'dense')).toHaveLength(2)
    expect(architecture.layers[5]?.mlp).toEqual({ kind: 'dense', intermediateSize: 6144, gated: true })
  })

  it('are every second one in a Llama 4 with a step of two', () => {
    const text_config = { ...configs.llama4Scout.text_config, interleave_moe_layer_step: 2 }
    const { architecture } = readConfig({ ...configs.llama4Scout, text_config })
    expect(architecture.layers.slice(0, 4).map(({ mlp }) => mlp.kind)).toEqual(['dense', 'moe', 'dense', 'moe'])
  })
})

describe('what a file leaves open', () => {
  it('is named when it takes the default of the published code', () => {
    const { num_key_value_heads: _, tie_word_embeddings: __, ...bare } = configs.llama31
    const { architecture, defaulted } = readConfig(bare)
    expect(defaulted).toEqual(expect.arrayContaining(['num_key_value_heads', 'tie_word_embeddings', 'head_dim']))
    expect(architecture.layers[0]?.attention).toMatchObject({ kvHeads: 32, headDim: 128 })
  })

  it('is named with its path in a multimodal file', () =>
    expect(readConfig(configs.gemma3).defaulted).toEqual(
      expect.arrayContaining(['text_config.vocab_size', 'text_config.max_position_embeddings']),
    ))

  it('is listed when the reader does not know what a field does', () =>
    expect(readConfig({ ...configs.llama31, layer_skipping: 3 }).notUnderstood).toEqual(['layer_skipping']))
})

describe('a file that cannot be read', () => {
  const failure = (config: unknown): ConfigError => {
    try {
      readConfig(config)
    } catch (error) {
      if (error instanceof ConfigError) return error
      throw error
    }
    throw new Error('expected a failure')
  }

  it('names the field that is missing, what was expected and what was found', () => {
    const { num_hidden_layers: _, ...bare } = configs.llama31
    const error = failure(bare)
    expect(error.field).toBe('num_hidden_layers')
    expect(error.message).toBe('config.json, field "num_hidden_layers": expected a whole number >= 1, found nothing.')
  })

  it('names the path of a field inside text_config', () => {
    const text_config = { ...configs.llama4Scout.text_config, num_local_experts: 'sixteen' }
    expect(failure({ ...configs.llama4Scout, text_config }).field).toBe('text_config.num_local_experts')
  })

  it('does not guess at an unknown layer type, dtype, quantisation or head split', () => {
    const layer_types = ['conv', ...configs.gptOss.layer_types.slice(1)]
    expect(failure({ ...configs.gptOss, layer_types }).field).toBe('layer_types[0]')
    expect(failure({ ...configs.gptOss, layer_types: ['full_attention'] }).expected).toContain('24 entries')
    expect(failure({ ...configs.llama31, torch_dtype: 'posit8' }).field).toBe('torch_dtype')
    expect(failure({ ...configs.llama31, quantization_config: { quant_method: 'magic' } }).field).toBe(
      'quantization_config.quant_method',
    )
    expect(failure({ ...configs.llama31, num_key_value_heads: 5 }).field).toBe('num_key_value_heads')
    expect(failure({ ...configs.llama31, num_attention_heads: 30, num_key_value_heads: 30 }).field).toBe('head_dim')
    expect(failure({ ...configs.deepseekV3, moe_layer_freq: 2 }).field).toBe('moe_layer_freq')
    expect(failure({ ...configs.phi2, qk_layernorm: true }).field).toBe('qk_layernorm')
  })

  it('refuses more layers than any model has, and tokens that visit more experts than there are', () => {
    expect(failure({ ...configs.llama31, num_hidden_layers: 1e12 }).field).toBe('num_hidden_layers')
    const greedy = failure({ ...configs.mixtral, num_experts_per_tok: 9 })
    expect(greedy.field).toBe('num_experts_per_tok')
    expect(greedy.message).toMatch(/at most the 8 experts of a layer, found 9/)
  })

  it('lists all model types, not far ones, for a name like none', () => {
    expect(() => readConfig({ ...configs.llama31, model_type: 'mamba' })).toThrow(/Known: deepseek_v2/)
  })

  it('lists near model types for one it does not know', () => {
    expect(() => readConfig({ ...configs.llama31, model_type: 'qwen33' })).toThrow(UnknownName)
    expect(() => readConfig({ ...configs.llama31, model_type: 'qwen33' })).toThrow(/qwen3/)
    expect(failure({ hidden_size: 5 }).field).toBe('model_type')
    expect(failure([]).expected).toBe('a JSON object')
  })

  it('is never anything but a typed failure, whatever one field becomes', () =>
    fc.assert(
      fc.property(
        fc.constantFrom(...pairs.map(([config]) => config)),
        fc.nat(),
        fc.constantFrom(null, 'x', -1, 0, 0.5, [], {}, true),
        (original, pick, value) => {
          const config: Record<string, unknown> = { ...original }
          const names = Object.keys(config)
          config[names[pick % names.length]!] = value
          try {
            readConfig(config)
          } catch (error) {
            expect(error instanceof ConfigError || error instanceof UnknownName).toBe(true)
          }
        },
      ),
      { numRuns: 500 },
    ))
})

describe('the stored dtype', () => {
  it('comes from the quantisation first, then from dtype', () => {
    expect(readConfig(configs.deepseekV3).storedDtype).toBe('fp8')
    expect(readConfig(configs.gptOss).storedDtype).toBe('fp4')
    expect(readConfig(configs.llama31).storedDtype).toBe('bf16')
    expect(readConfig(configs.phi2).storedDtype).toBe('fp16')
    expect(readConfig(configs.qwen35).storedDtype).toBe('bf16')
    expect(readConfig(configs.gemma3).storedDtype).toBe('bf16')
    expect(readConfig({ ...configs.llama31, quantization_config: { quant_method: 'awq', bits: 4 } }).storedDtype).toBe(
      'int4',
    )
    const { torch_dtype: _, ...silent } = configs.llama31
    expect(readConfig(silent).storedDtype).toBeUndefined()
  })
})
