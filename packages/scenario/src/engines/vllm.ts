import type { Accelerator } from '@windtunnel/hardware'
import { vllm as engine, type HostCacheOptions, type VllmOptions } from '@windtunnel/orchestrator/engines/index'
import { choice, count, flag, group, optional, quantity, text, withDefault } from '../schema/options.ts'
import { defineEngine, type EngineSite } from './engineBinding.ts'
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
    preemption: withDefault(
      choice(['recompute', 'swap'], {
        sentence:
          'What becomes of the KV of a preempted request: computed again, or kept on the host while there is room.',
      }),
      'recompute',
    ),
    swapBytes: withDefault(
      quantity({
        sentence: 'Host memory for the KV of preempted requests, for each accelerator.',
        unit: 'bytes',
        minimum: 0,
      }),
      4 * 1024 * 1024 * 1024,
    ),
    hostCacheBytes: optional(
      quantity({
        sentence:
          'Host memory for text that was evicted from the prefix cache, for each accelerator; without it such text is lost.',
        unit: 'bytes',
        minimum: 0,
        example: 64e9,
      }),
    ),
    hostBytesPerSecond: withDefault(
      quantity({
        sentence: 'Bandwidth between the host and one accelerator.',
        unit: 'bytes per second',
        above: 0,
      }),
      25e9,
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

/** How many KV blocks of the replica fit into `bytes` of host memory for each accelerator, and the time to copy one. */
function hostBlocks(
  bytes: number,
  { blockSize, hostBytesPerSecond }: { blockSize: number; hostBytesPerSecond: number },
  { kvBytesPerToken, acceleratorsPerEngine }: EngineSite,
): HostCacheOptions {
  const blockBytes = kvBytesPerToken * blockSize
  return {
    blocks: Math.floor((bytes * acceleratorsPerEngine) / blockBytes),
    secondsPerBlock: blockBytes / (hostBytesPerSecond * acceleratorsPerEngine),
  }
}

function swapOf(chosen: { swapBytes: number; blockSize: number; hostBytesPerSecond: number }, site: EngineSite) {
  const { blocks, secondsPerBlock } = hostBlocks(chosen.swapBytes, chosen, site)
  return { hostBlocks: blocks, secondsPerBlock }
}

export const vllm = defineEngine({
  name: 'vllm',
  option,
  streamsPrefill: true,
  maxSequences: sequences,
  bind: (chosen, site) => {
    const { architecture, accelerator, totalBlocks, overheads } = site
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
      ...(chosen.preemption === 'swap' ? { swap: swapOf(chosen, site) } : {}),
      ...(chosen.hostCacheBytes === undefined ? {} : { hostCache: hostBlocks(chosen.hostCacheBytes, chosen, site) }),
      asyncScheduling: chosen.asyncScheduling ?? (overheads === undefined || overheads.stepsInFlight > 1),
    }
    return { limits, create: (context) => engine.create(context, limits) }
  },
})
