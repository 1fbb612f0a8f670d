import { trtllm as engine, type TrtllmOptions } from '@windtunnel/orchestrator/engines/index'
import { choice, count, flag, group, quantity, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { memory, prefixCache, scheduler } from './sharedOptions.ts'

const option = group(
  {
    maxBatchedTokens: withDefault(count({ sentence: 'Token budget of one step.', unit: 'tokens', minimum: 1 }), 8192),
    maxSequences: withDefault(
      count({ sentence: 'Most requests running at once.', unit: 'sequences', minimum: 1, maximum: 65536 }),
      2048,
    ),
    chunkedPrefill: withDefault(
      flag({ sentence: 'Whether a prompt may be computed in pieces over several steps.' }),
      false,
    ),
    capacity: withDefault(
      choice(['noEvict', 'evict'], {
        sentence:
          'Whether a request is admitted only when all that run fit whatever they generate, or when it fits now, the last one being evicted when memory runs out.',
      }),
      'noEvict',
    ),
    overlap: withDefault(flag({ sentence: 'Whether a step is composed while the one before it runs.' }), true),
    batchWaitSteps: withDefault(
      count({
        sentence: 'Steps for which waiting prompts are held back beside running requests, to be computed together.',
        unit: 'steps',
        minimum: 0,
        maximum: 10000,
      }),
      0,
    ),
    batchWaitTokenShare: withDefault(
      quantity({
        sentence: 'Share of the token budget at which a step with the waiting prompts is held back no longer.',
        minimum: 0,
        maximum: 1,
      }),
      1,
    ),
    ...memory,
    blockSize: withDefault(
      count({ sentence: 'Tokens in one KV block.', unit: 'tokens', minimum: 1, maximum: 4096 }),
      32,
    ),
    prefixCache,
    scheduler,
  },
  {
    sentence:
      'TensorRT-LLM: in-flight batching; a request is admitted when the longest possible texts of all that run fit, so that nobody is evicted.',
  },
)

export const trtllm = defineEngine({
  name: 'trtllm',
  option,
  streamsPrefill: true,
  maxSequences: (chosen) => chosen.maxSequences,
  bind: (chosen, { architecture, totalBlocks }) => {
    const limits: TrtllmOptions = {
      maxBatchedTokens: chosen.maxBatchedTokens,
      maxSequences: chosen.maxSequences,
      chunkedPrefill: chosen.chunkedPrefill,
      capacity: chosen.capacity,
      overlap: chosen.overlap,
      blockSize: chosen.blockSize,
      totalBlocks,
      maxModelLength: chosen.maxModelLength ?? architecture.maxContextTokens,
      prefixCache: chosen.prefixCache,
      ...(chosen.batchWaitSteps === 0
        ? {}
        : { batchWait: { steps: chosen.batchWaitSteps, tokenShare: chosen.batchWaitTokenShare } }),
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})
