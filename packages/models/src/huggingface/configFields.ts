import { ConfigError } from './configError.ts'

export type JsonObject = Readonly<Record<string, unknown>>

/** Far above any model there is; a file with more is broken, and would fill the memory. */
const mostLayers = 10_000

export const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Typed access to the fields of a config.json object. Remembers which were read and which took the default of the
 * model's published code, so that a reading can name both. `null` counts as absent, as it does there.
 */
export class ConfigFields {
  readonly #fields: JsonObject
  readonly #prefix: string
  readonly #read = new Set<string>()
  readonly #defaulted = new Set<string>()

  constructor(fields: JsonObject, prefix = '') {
    this.#fields = fields
    this.#prefix = prefix
  }

  path(name: string): string {
    return `${this.#prefix}${name}`
  }

  /** The raw value, `undefined` when absent or null. */
  value(name: string): unknown {
    this.#read.add(name)
    return this.#fields[name] ?? undefined
  }

  has(name: string): boolean {
    return (this.#fields[name] ?? undefined) !== undefined
  }

  /** A whole number >= `least`. Throws `ConfigError` when absent or otherwise. */
  count(name: string, least = 1): number {
    const found = this.value(name)
    if (typeof found !== 'number' || !Number.isSafeInteger(found) || found < least)
      throw new ConfigError(this.path(name), `a whole number >= ${least}`, found)
    return found
  }

  /** The number of layers: a whole number that a model can have, as each is laid out. */
  layerCount(): number {
    const name = 'num_hidden_layers'
    const found = this.count(name)
    if (found > mostLayers) throw new ConfigError(this.path(name), `at most ${mostLayers} layers`, found)
    return found
  }

  /** The same, or `undefined` when absent. */
  optionalCount(name: string, least = 1): number | undefined {
    return this.value(name) === undefined ? undefined : this.count(name, least)
  }

  /** The same, or the default of the model's published code when absent. */
  countOr(name: string, fallback: number, least = 1): number {
    const found = this.optionalCount(name, least)
    if (found === undefined) this.#defaulted.add(name)
    return found ?? fallback
  }

  /** True or false, or the default of the model's published code when absent. */
  flagOr(name: string, fallback: boolean): boolean {
    const found = this.value(name)
    if (found === undefined) {
      this.#defaulted.add(name)
      return fallback
    }
    if (typeof found !== 'boolean') throw new ConfigError(this.path(name), 'true or false', found)
    return found
  }

  /** Text, or `undefined` when absent. */
  text(name: string): string | undefined {
    const found = this.value(name)
    if (found === undefined) return undefined
    if (typeof found !== 'string') throw new ConfigError(this.path(name), 'text', found)
    return found
  }

  /** A list, or `undefined` when absent. */
  list(name: string): readonly unknown[] | undefined {
    const found = this.value(name)
    if (found === undefined) return undefined
    if (!Array.isArray(found)) throw new ConfigError(this.path(name), 'a list', found)
    return found
  }

  /** A list of one entry for each layer, each one of `known`; or `undefined` when absent. */
  layerWords<Word extends string>(name: string, layers: number, known: readonly Word[]): Word[] | undefined {
    const found = this.list(name)
    if (found === undefined) return undefined
    if (found.length !== layers) throw new ConfigError(this.path(name), `${layers} entries, one a layer`, found)
    return found.map((entry, index) => {
      const word = known.find((candidate) => candidate === entry)
      if (word === undefined) throw new ConfigError(`${this.path(name)}[${index}]`, known.join(' or '), entry)
      return word
    })
  }

  /** Refuses a value that would change the shapes in a way this reader does not know. */
  require(name: string, allowed: readonly unknown[], expected: string): void {
    const found = this.value(name)
    if (found !== undefined && !allowed.includes(found)) throw new ConfigError(this.path(name), expected, found)
  }

  /** Paths of the fields whose absence took a default. */
  defaulted(): string[] {
    return [...this.#defaulted].map((name) => this.path(name))
  }

  /** Paths of the fields that were neither read nor are known to leave the shapes alone. */
  notUnderstood(): string[] {
    return Object.keys(this.#fields)
      .filter((name) => !this.#read.has(name) && !leavesShapesAlone(name))
      .map((name) => this.path(name))
  }
}

const neutral = new Set(
  [
    '_attn_implementation_autoset _name_or_path architectures attention_dropout attn_implementation auto_map',
    'attn_logit_softcapping aux_loss_alpha bos_token_id boi_token_index cache_implementation',
    'clip_qkv decoder_start_token_id dtype embd_pdrop eoi_token_index eos_token_id ep_size experts_implementation',
    'final_logit_softcapping hidden_act hidden_activation hidden_dropout id2label image_token_index image_token_id',
    'initial_context_length initializer_factor initializer_range input_jitter_noise is_decoder label2id layer_norm_eps',
    'layer_norm_epsilon lm_head_precision max_length max_window_layers mm_tokens_per_image n_group norm_eps',
    'norm_topk_prob num_nextn_predict_layers original_max_position_embeddings output_attentions output_dropout',
    'output_hidden_states output_router_logits pad_token_id pretraining_tp problem_type query_pre_attn_scalar',
    'resid_pdrop return_dict rms_norm_eps routed_scaling_factor router_aux_loss_coef router_jitter_noise scoring_func',
    'seq_aux sep_token_id swiglu_limit task_specific_params temperature_tuning tie_encoder_decoder tokenizer_class',
    'topk_group topk_method torch_dtype transformers_version unk_token_id use_cache vision_start_token_id',
    'vision_end_token_id video_token_id attn_scale attn_temperature_tuning floor_scale mtp_num_hidden_layers',
    'mtp_use_dedicated_embeddings mamba_ssm_dtype num_mtp_modules mtp_transformer_layers use_mtp indexer_rope_interleave',
    'embedding_dropout partial_rotary_factor rotary_dim model_type vision_config',
    'audio_config for_llm_compressor hc_eps hc_sinkhorn_iters compress_rope_theta expert_dtype',
  ].flatMap((line) => line.split(' ')),
)

/** Rotary positions, token ids and run-time switches change numbers, not shapes. */
const leavesShapesAlone = (name: string): boolean => neutral.has(name) || name.startsWith('rope_')
