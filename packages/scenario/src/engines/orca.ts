import { type EngineLimits, orca as engine } from '@windtunnel/orchestrator/engines/index'
import { count, group, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { memory, scheduler } from './sharedOptions.ts'

const option = group(
  {
    maxSequences: withDefault(
      count({ sentence: 'Most requests in one batch.', unit: 'sequences', minimum: 1, maximum: 65536 }),
      128,
    ),
    ...memory,
    scheduler,
  },
  {
    sentence:
      'Orca: requests join and leave at every step, whole prompts beside decodes; room for prompt and max_tokens is set aside at admission.',
  },
)

export const orca = defineEngine({
  name: 'orca',
  option,
  streamsPrefill: true,
  maxSequences: (chosen) => chosen.maxSequences,
  bind: (chosen, { architecture, totalBlocks }) => {
    const limits: EngineLimits = {
      maxSequences: chosen.maxSequences,
      blockSize: chosen.blockSize,
      totalBlocks,
      maxModelLength: chosen.maxModelLength ?? architecture.maxContextTokens,
      prefixCache: false,
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})
