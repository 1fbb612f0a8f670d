import { sarathi as engine, type SarathiOptions } from '@windtunnel/orchestrator/engines/index'
import { count, group, quantity, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { memory, scheduler } from './sharedOptions.ts'

const option = group(
  {
    tokenBudget: withDefault(
      count({
        sentence: 'Tokens of one step: decodes first, then chunks of prompts.',
        unit: 'tokens',
        minimum: 1,
      }),
      512,
    ),
    maxSequences: withDefault(
      count({ sentence: 'Most requests running at once.', unit: 'sequences', minimum: 1, maximum: 65536 }),
      128,
    ),
    watermark: withDefault(
      quantity({
        sentence: 'Share of the KV blocks kept free when a request is admitted beside others.',
        unit: 'share',
        minimum: 0,
        maximum: 1,
      }),
      0.01,
    ),
    ...memory,
    scheduler,
  },
  {
    sentence:
      'Sarathi-Serve: a fixed token budget a step, decodes first and chunks of prompts in what is left, so that no decode waits for a prompt.',
  },
)

export const sarathi = defineEngine({
  name: 'sarathi',
  option,
  streamsPrefill: true,
  maxSequences: (chosen) => chosen.maxSequences,
  bind: (chosen, { architecture, totalBlocks }) => {
    const limits: SarathiOptions = {
      tokenBudget: chosen.tokenBudget,
      maxSequences: chosen.maxSequences,
      watermark: chosen.watermark,
      blockSize: chosen.blockSize,
      totalBlocks,
      maxModelLength: chosen.maxModelLength ?? architecture.maxContextTokens,
      prefixCache: false,
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})
