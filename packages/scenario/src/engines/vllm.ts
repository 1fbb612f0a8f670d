import type { Accelerator } from '@windtunnel/hardware'
import { vllm as engine, type VllmOptions } from '@windtunnel/orchestrator/engines/index'
import { count, flag, group, optional, quantity, text, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { isLarge, memory, prefixCache, scheduler } from './sharedOptions.ts'

const option = group(
  {
    version: withDefault(
      text({
        sentence:
          'Version of vLLM, for the overheads that the calibrated cost adds; the nearest known below it counts.',
      }),
      '0.15.1',
    ),
    maxBatchedTokens: optional(
      count({
        sentence:
          'Token budget of one step; without it 8192 on accelerators of at least 70 GiB other than A100, else 2048.',
        unit: 'tokens',
        minimum: 1,
        example: 8192,
      }),
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
    prefixCache,
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
    scheduler,
  },
  { sentence: 'vLLM V1: one token budget a step, running requests first, chunked prefill, recompute preemption.' },
)

const sequences = (chosen: { readonly maxSequences?: number }, accelerator: Accelerator): number =>
  chosen.maxSequences ?? (isLarge(accelerator) ? 1024 : 256)

export const vllm = defineEngine({
  name: 'vllm',
  option,
  streamsPrefill: true,
  maxSequences: sequences,
  bind: (chosen, { architecture, accelerator, totalBlocks, overheads }) => {
    const limits: VllmOptions = {
      maxBatchedTokens: chosen.maxBatchedTokens ?? (isLarge(accelerator) ? 8192 : 2048),
      maxSequences: sequences(chosen, accelerator),
      blockSize: chosen.blockSize,
      totalBlocks,
      maxModelLength: chosen.maxModelLength ?? architecture.maxContextTokens,
      prefixCache: chosen.prefixCache,
      chunkedPrefill: chosen.chunkedPrefill,
      longPrefillThreshold: chosen.longPrefillThreshold,
      reserveFullPrompt: chosen.reserveFullPrompt,
      watermark: chosen.watermark,
      asyncScheduling: chosen.asyncScheduling ?? (overheads === undefined || overheads.stepsInFlight > 1),
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})
