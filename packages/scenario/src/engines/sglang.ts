import { sglang as engine, type SglangOptions } from '@windtunnel/orchestrator/engines/index'
import { choice, count, flag, group, optional, quantity, withDefault } from '../schema/options.ts'
import { defineEngine } from './engineBinding.ts'
import { isLarge, memory, prefixCache, scheduler } from './sharedOptions.ts'

const tokens = (sentence: string, minimum: number) => count({ sentence, unit: 'tokens', minimum })

const option = group(
  {
    maxSequences: withDefault(
      count({ sentence: 'Most requests running at once.', unit: 'sequences', minimum: 1, maximum: 65536 }),
      2048,
    ),
    chunkedPrefillTokens: optional(
      count({
        sentence:
          'Most prompt tokens of one batch, a multiple of the page; 0 never cuts prompts; without it 8192 on accelerators of at least 70 GiB other than A100, else 2048.',
        unit: 'tokens',
        minimum: 0,
        example: 8192,
      }),
    ),
    maxPrefillTokens: withDefault(tokens('Prompt tokens after which a batch takes no further request.', 1), 16384),
    mixedChunk: withDefault(flag({ sentence: 'Whether running requests decode inside prefill batches.' }), false),
    policy: withDefault(
      choice(['fcfs', 'lpm'], {
        sentence: 'Order of the queue: as the scheduler has it (fcfs), or longest match in the tree first (lpm).',
      }),
      'fcfs',
    ),
    conservativeness: withDefault(
      quantity({
        sentence: 'Factor on the share of their token limits that running requests are expected to use.',
        above: 0,
        maximum: 10,
      }),
      1,
    ),
    overlap: withDefault(flag({ sentence: 'Whether a batch is composed while the one before it runs.' }), true),
    receiveInterval: withDefault(
      count({
        sentence:
          'Decode steps after which the engine looks for new requests (it also does after every prefill batch); 1 is every step.',
        unit: 'steps',
        minimum: 1,
        maximum: 1000,
      }),
      1,
    ),
    retractDecodeSteps: withDefault(
      count({
        sentence: 'Decode steps for which there is room after requests were retracted.',
        unit: 'steps',
        minimum: 1,
      }),
      20,
    ),
    keepRetractedText: withDefault(
      flag({ sentence: 'Whether the text of a retracted request enters the tree, rather than giving its pages back.' }),
      false,
    ),
    reservedDecodeTokens: withDefault(
      tokens('Generate side of a disaggregated layout: tokens kept free for each request there.', 0),
      512,
    ),
    ...memory,
    blockSize: withDefault(count({ sentence: 'Tokens in one page.', unit: 'tokens', minimum: 1, maximum: 4096 }), 1),
    prefixCache,
    scheduler,
  },
  {
    sentence:
      'SGLang: prefill batches first, admission by a forecast of tokens, a radix tree of text, retraction, overlapped scheduling.',
  },
)

export const sglang = defineEngine({
  name: 'sglang',
  option,
  maxSequences: (chosen) => chosen.maxSequences,
  bind: (chosen, { architecture, accelerator, totalBlocks }) => {
    const limits: SglangOptions = {
      maxSequences: chosen.maxSequences,
      blockSize: chosen.blockSize,
      totalBlocks,
      maxModelLength: chosen.maxModelLength ?? architecture.maxContextTokens,
      prefixCache: chosen.prefixCache,
      chunkedPrefillTokens: chosen.chunkedPrefillTokens ?? (isLarge(accelerator) ? 8192 : 2048),
      maxPrefillTokens: chosen.maxPrefillTokens,
      mixedChunk: chosen.mixedChunk,
      policy: chosen.policy,
      conservativeness: chosen.conservativeness,
      overlap: chosen.overlap,
      receiveInterval: chosen.receiveInterval,
      retractDecodeSteps: chosen.retractDecodeSteps,
      keepRetractedText: chosen.keepRetractedText,
      reservedDecodeTokens: chosen.reservedDecodeTokens,
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})
