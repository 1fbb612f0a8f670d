import type { JetstreamOptions, PrefixTrieOptions } from '@windtunnel/orchestrator/engines/index'
import { choice, count, flag, group, list, optional, quantity, type TypeOf, withDefault } from '../schema/options.ts'
import type { EngineSite } from './engineBinding.ts'
import { memory, scheduler } from './sharedOptions.ts'

const MOST_SLOTS = 256
const BUCKETS = [16, 32, 64, 128, 256, 512, 1024, 2048, 4096, 8192, 16384, 32768]

/** Results or prompts that may wait somewhere. */
export const backlog = (sentence: string, unit: string, minimum = 0) => count({ sentence, unit, minimum })

/** What both JetStream engines offer. */
export const jetstreamOptions = {
  maxSequences: optional(
    count({
      sentence: `Decode slots of one generate engine; without it as many as its KV memory holds, at most ${MOST_SLOTS}.`,
      unit: 'sequences',
      minimum: 1,
      example: 96,
    }),
  ),
  ...memory,
  maxModelLength: withDefault(
    count({
      sentence: 'Longest prompt and output together; every slot owns KV blocks for as many tokens.',
      unit: 'tokens',
      minimum: 1,
    }),
    4096,
  ),
  maxPrefillLength: optional(
    count({
      sentence: 'Longest prompt; without it maxModelLength. Longer ones are refused, or cut where strict.',
      unit: 'tokens',
      minimum: 1,
      example: 2048,
    }),
  ),
  buckets: withDefault(
    list(count({ sentence: 'Length of padded prompts.', unit: 'tokens', minimum: 1 }), {
      sentence: 'Lengths to which prompts are padded, ascending; those above maxPrefillLength are not used.',
      minimumItems: 1,
    }),
    BUCKETS,
  ),
  chunkTokens: withDefault(
    count({
      sentence: 'Prompts at least this long are computed in chunks of exactly this size; 0 computes them whole.',
      unit: 'tokens',
      minimum: 0,
    }),
    0,
  ),
  prefixCacheBytes: withDefault(
    quantity({
      sentence:
        'Memory of each accelerator for whole prompts that the prefix cache keeps, those computed in chunks; 0 keeps none.',
      unit: 'bytes',
      minimum: 0,
    }),
    0,
  ),
  prefixCacheHostBytes: optional(
    quantity({
      sentence: 'Host memory for the same, for each accelerator; without it ten times prefixCacheBytes.',
      unit: 'bytes',
      minimum: 0,
      example: 64e9,
    }),
  ),
  hostBytesPerSecond: withDefault(
    quantity({
      sentence: 'Bandwidth from the host to one accelerator, for prompts that the prefix cache brings back.',
      unit: 'bytes per second',
      above: 0,
    }),
    25e9,
  ),
  prefillBacklog: withDefault(
    backlog(
      'Requests that may wait for a prefill engine, more are refused; 0 sets no bound, as strict needs.',
      'requests',
    ),
    0,
  ),
  detokeniseBacklog: withDefault(
    backlog('Results that may wait for one detokenise thread; 0 sets no bound.', 'results'),
    8,
  ),
  target: withDefault(
    choice(['minBacklog', 'mostFreeSlots'], {
      sentence:
        'Generate engine of a prefilled prompt: the one with the shortest backlog, or with the most free slots.',
    }),
    'minBacklog',
  ),
  slotCost: withDefault(
    choice(['every', 'full', 'live'], {
      sentence:
        'What a generate step costs: a row for every slot (every), each attending to its whole row (full), or occupied slots only (live).',
    }),
    'every',
  ),
  strict: withDefault(
    flag({
      sentence:
        'Whether JetStream runs with its defects: slots given back late, requests decoded that ended on their first token, stalls of a second, long prompts cut, room of the prefix cache wasted, metrics that count from the wrong moment.',
    }),
    false,
  ),
  insertBytesPerSecond: optional(
    quantity({
      sentence: 'At which a prefix is written into its slot; without it half the memory bandwidth of the engine.',
      unit: 'bytes per second',
      above: 0,
      example: 1e12,
    }),
  ),
  detokeniseSecondsPerStep: withDefault(
    quantity({
      sentence: 'Time to detokenise the result of one step, apart from its sequences; the default is a guess.',
      unit: 'seconds',
      minimum: 0,
    }),
    1e-4,
  ),
  detokeniseSecondsPerSequence: withDefault(
    quantity({
      sentence: 'Time to detokenise the token of one sequence; the default is a guess.',
      unit: 'seconds',
      minimum: 0,
    }),
    1e-5,
  ),
  scheduler,
} as const

const shared = group(jetstreamOptions, { sentence: 'What both JetStream engines offer.' })
type Chosen = TypeOf<typeof shared>

/** Slots the scenario asks for, before the memory is known. */
export const mostSlots = (chosen: { readonly maxSequences?: number }): number => chosen.maxSequences ?? MOST_SLOTS

/** The prefix cache of whole prompts, in bytes of one engine; undefined without one. */
function prefixTrie(chosen: Chosen, site: EngineSite): PrefixTrieOptions | undefined {
  if (chosen.prefixCacheBytes === 0) return undefined
  const { acceleratorsPerEngine, accelerator } = site
  return {
    deviceBytes: chosen.prefixCacheBytes * acceleratorsPerEngine,
    hostBytes: (chosen.prefixCacheHostBytes ?? 10 * chosen.prefixCacheBytes) * acceleratorsPerEngine,
    hostBytesPerSecond: chosen.hostBytesPerSecond * acceleratorsPerEngine,
    copyBytesPerSecond: (acceleratorsPerEngine * accelerator.hbmBytesPerSecond) / 2,
  }
}

/** KV blocks of an engine that are left for slots; `sharesMemory`: prompts of the prefix cache lie beside them. */
function blocksForSlots(cacheBytes: number, blockSize: number, site: EngineSite, sharesMemory: boolean): number {
  const cached = Math.ceil(cacheBytes / (site.kvBytesPerToken * blockSize))
  if (cached >= site.totalBlocks)
    throw new RangeError(
      `prefixCacheBytes take ${cached} KV blocks of an engine, it has ${site.totalBlocks}; keep less in the prefix cache`,
    )
  return sharesMemory ? site.totalBlocks - cached : site.totalBlocks
}

/** What both engines share, bound; throws a RangeError when no slot fits. `sharesMemory`: prefills and slots share an engine. */
export function jetstreamLimits(chosen: Chosen, site: EngineSite, sharesMemory: boolean) {
  const trie = prefixTrie(chosen, site)
  const totalBlocks = blocksForSlots(trie?.deviceBytes ?? 0, chosen.blockSize, site, sharesMemory)
  const blocksPerSlot = Math.ceil(chosen.maxModelLength / chosen.blockSize)
  const fitting = Math.floor(totalBlocks / blocksPerSlot)
  if (fitting === 0)
    throw new RangeError(
      `one slot of maxModelLength ${chosen.maxModelLength} needs ${blocksPerSlot} KV blocks, one engine has ${totalBlocks}; use a shorter maxModelLength`,
    )
  return {
    maxSequences: chosen.maxSequences ?? Math.min(MOST_SLOTS, fitting),
    blockSize: chosen.blockSize,
    totalBlocks,
    maxModelLength: chosen.maxModelLength,
    maxPrefillLength: chosen.maxPrefillLength ?? chosen.maxModelLength,
    prefixCache: trie !== undefined,
    ...(trie === undefined ? {} : { prefixTrie: trie }),
    buckets: chosen.buckets,
    chunkTokens: chosen.chunkTokens,
    prefillBacklog: chosen.prefillBacklog,
    detokeniseBacklog: chosen.detokeniseBacklog,
    target: chosen.target,
    slotCost: chosen.slotCost,
    strict: chosen.strict,
    kvBytesPerToken: site.kvBytesPerToken,
    insertBytesPerSecond:
      chosen.insertBytesPerSecond ?? (site.acceleratorsPerEngine * site.accelerator.hbmBytesPerSecond) / 2,
    detokeniseSecondsPerStep: chosen.detokeniseSecondsPerStep,
    detokeniseSecondsPerSequence: chosen.detokeniseSecondsPerSequence,
  } satisfies Partial<JetstreamOptions>
}
