import { type Accelerator, programHbmBytes } from '@windtunnel/hardware'
import { schedulers } from '@windtunnel/orchestrator/schedulers/index'
import { choice, count, flag, optional, quantity, withDefault } from '../schema/options.ts'

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
  maxModelLength: optional(
    count({
      sentence: 'Longest prompt and output together; without it the context length of the model.',
      unit: 'tokens',
      minimum: 1,
      example: 32768,
    }),
  ),
} as const

export const prefixCache = withDefault(flag({ sentence: 'Whether prompts reuse the KV blocks of earlier ones.' }), true)

export const scheduler = withDefault(
  choice([...schedulers.keys()], { sentence: 'Order of the queue and choice of the victim of a preemption.' }),
  'fcfs',
)

const LARGE_MEMORY_BYTES = 70 * 1024 * 1024 * 1024

/** Whether vLLM takes its larger defaults: at least 70 GiB of memory, and not an A100. */
export const isLarge = (accelerator: Accelerator): boolean =>
  programHbmBytes(accelerator) >= LARGE_MEMORY_BYTES && !accelerator.name.startsWith('a100')
