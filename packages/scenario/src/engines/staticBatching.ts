import { staticBatching as engine, type StaticOptions } from '@windtunnel/orchestrator/engines/index'
import { count, group, quantity, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { memory, scheduler } from './sharedOptions.ts'

const option = group(
  {
    maxSequences: withDefault(
      count({ sentence: 'Requests of a full batch.', unit: 'sequences', minimum: 1, maximum: 65536 }),
      32,
    ),
    maxWaitSeconds: withDefault(
      quantity({
        sentence: 'How long the longest waiting request may wait for its batch to fill up; 0 starts with who is there.',
        unit: 'seconds',
        minimum: 0,
      }),
      0,
    ),
    ...memory,
    scheduler,
  },
  {
    sentence:
      'Static batching: prompts padded to the longest of the batch, and nobody joins before its longest output has ended.',
  },
)

export const staticBatching = defineEngine({
  name: 'static',
  option,
  wholeRequests: true,
  maxSequences: (chosen) => chosen.maxSequences,
  bind: (chosen, { architecture, totalBlocks }) => {
    const limits: StaticOptions = {
      maxSequences: chosen.maxSequences,
      maxWaitSeconds: chosen.maxWaitSeconds,
      blockSize: chosen.blockSize,
      totalBlocks,
      maxModelLength: chosen.maxModelLength ?? architecture.maxContextTokens,
      prefixCache: false,
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})
