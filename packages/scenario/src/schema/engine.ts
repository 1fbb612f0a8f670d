import { schedulers } from '@windtunnel/orchestrator/schedulers/index'
import { choice, count, flag, group, optional, quantity, text, variant, withDefault } from './options.ts'

const tokens = (sentence: string, example: number) => optional(count({ sentence, unit: 'tokens', minimum: 1, example }))

/** The KV memory of an engine: counted from the model and the hardware, or given. */
export const memory = {
  blockSize: withDefault(count({ sentence: 'Tokens in one KV block.', unit: 'tokens', minimum: 1, maximum: 4096 }), 16),
  kvBlocks: optional(
    count({
      sentence: 'KV blocks of one replica; without it as many as fit beside the weights.',
      unit: 'blocks',
      minimum: 1,
      example: 20000,
    }),
  ),
  memoryUtilisation: withDefault(
    quantity({
      sentence: 'Share of the accelerator memory that the engine may use.',
      unit: 'share',
      above: 0,
      maximum: 1,
    }),
    0.9,
  ),
  prefixCache: withDefault(flag({ sentence: 'Whether prompts reuse the KV blocks of earlier ones.' }), true),
} as const

const vllm = group(
  {
    version: withDefault(
      text({
        sentence:
          'Version of vLLM, for the overheads that the calibrated cost adds; the nearest known below it counts.',
      }),
      '0.15.1',
    ),
    maxBatchedTokens: tokens(
      'Token budget of one step; without it 8192 on accelerators of at least 70 GiB other than A100, else 2048.',
      8192,
    ),
    maxSequences: optional(
      count({
        sentence:
          'Most sequences running at once; without it 1024 on accelerators of at least 70 GiB other than A100, else 256.',
        unit: 'sequences',
        minimum: 1,
        example: 256,
      }),
    ),
    ...memory,
    chunkedPrefill: withDefault(
      flag({ sentence: 'Whether a prompt may be computed in pieces over several steps.' }),
      true,
    ),
    longPrefillThreshold: withDefault(
      count({
        sentence: 'Most tokens of one prompt in one step; 0 sets no limit but the budget.',
        unit: 'tokens',
        minimum: 0,
      }),
      0,
    ),
    reserveFullPrompt: withDefault(
      flag({
        sentence:
          'Whether a prompt is admitted only when KV blocks for all of it are free, not just for its first piece.',
      }),
      true,
    ),
    watermark: withDefault(
      quantity({
        sentence: 'Share of the KV blocks kept free when a request is admitted beside others.',
        unit: 'share',
        minimum: 0,
        maximum: 1,
      }),
      0,
    ),
    asyncScheduling: optional(
      flag({
        sentence:
          'Whether the next step is composed while the present one runs; without it as the version of vLLM does.',
        example: true,
      }),
    ),
    maxModelLength: tokens('Longest prompt and output together; without it the context length of the model.', 32768),
    scheduler: withDefault(
      choice([...schedulers.keys()], { sentence: 'Order of the queue and choice of the victim of a preemption.' }),
      'fcfs',
    ),
  },
  { sentence: 'vLLM V1: one token budget a step, running requests first, chunked prefill, recompute preemption.' },
)

/** The batching loop of a replica with its memory rules. */
export const engine = withDefault(
  variant('name', { vllm }, { sentence: 'The batching loop of a replica, with its memory rules.' }),
  { name: 'vllm' },
)
