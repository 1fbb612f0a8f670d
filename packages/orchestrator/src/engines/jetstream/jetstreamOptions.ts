import type { EngineLimits } from '../engine.ts'
import type { PrefixTrieOptions } from './prefixStore.ts'

/**
 * One JetStream server. `maxSequences` is the number of decode slots of one generate engine, `totalBlocks` the KV memory of
 * one generate engine: every slot owns `maxModelLength` tokens of it. `prefixCache` must say whether there is a `prefixTrie`.
 * Capacities of queues: 0 means without bound, as in JetStream itself.
 */
export interface JetstreamOptions extends EngineLimits {
  prefillEngines: number
  /** The same number as prefill engines in interleaved mode, where both share their accelerators. */
  generateEngines: number
  /** Lengths to which prompts are padded, ascending, tokens; those above `maxPrefillLength` are not used. */
  buckets: readonly number[]
  /** Longest prompt, tokens. */
  maxPrefillLength: number
  /** Prompts at least this long are computed in chunks of exactly this many tokens; 0: whole prompts. */
  chunkTokens: number
  /** The cache of whole prefixes, for prompts that are computed in chunks; none when absent. */
  prefixTrie?: PrefixTrieOptions
  /** Requests that may wait for a prefill engine; more are refused. 0 in strict mode, where the bound never worked. */
  prefillBacklog: number
  /** Prefilled prompts that may wait for the transfer thread of one prefill engine. */
  transferBacklog: number
  /** Transferred prompts that may wait for a slot of one generate engine. */
  generateBacklog: number
  /** Results that may wait for one detokenise thread. */
  detokeniseBacklog: number
  target: TargetRule
  slotCost: SlotCost
  /** With JetStream's defects as measured, or without them (SEMANTICS.md lists them). */
  strict: boolean
  kvBytesPerToken: number
  /** Between a prefill and a generate engine; not used in interleaved mode. */
  transferBytesPerSecond: number
  transferLatencySeconds: number
  /** At which a prefix is written into its slot; Infinity: at no cost. */
  insertBytesPerSecond: number
  detokeniseSecondsPerStep: number
  /** For every live sequence whose token is in the result. */
  detokeniseSecondsPerSequence: number
}

/** Generate engine of a transfer: the one with the shortest backlog, or with the most free slots (then the shortest backlog). */
export type TargetRule = 'minBacklog' | 'mostFreeSlots'

/**
 * What a generate step costs: `full` every slot attends to its whole row, used or not; `every` every slot costs a row that
 * attends to what is there (one entry when it is empty); `live` occupied slots alone.
 */
export type SlotCost = 'full' | 'every' | 'live'

/** Throws a RangeError with a sentence when the options contradict each other. */
export function checkJetstream(options: JetstreamOptions, interleaved: boolean): void {
  const { prefillEngines, generateEngines, maxSequences, maxModelLength, blockSize, totalBlocks } = options
  const wrong = (sentence: string): never => {
    throw new RangeError(sentence)
  }
  if (prefillEngines < 1 || generateEngines < 1)
    wrong(`${prefillEngines} prefill and ${generateEngines} generate engines: a server needs one of each`)
  if (interleaved && prefillEngines !== generateEngines)
    wrong(`interleaved engines do both: prefillEngines ${prefillEngines} must equal generateEngines ${generateEngines}`)
  if (options.strict && prefillEngines > generateEngines)
    wrong(
      `${prefillEngines} prefill engines exceed ${generateEngines} generate engines: JetStream finds no detokenise thread for the first tokens of the others; set strict to false`,
    )
  if (options.strict && options.prefillBacklog > 0)
    wrong('the bound on the prefill backlog never works in JetStream; set prefillBacklog to 0 or strict to false')
  const rows = maxSequences * Math.ceil(maxModelLength / blockSize)
  if (rows > totalBlocks)
    wrong(
      `${maxSequences} slots of ${maxModelLength} tokens need ${rows} KV blocks of ${blockSize} tokens, the engine has ${totalBlocks}; use fewer slots or a shorter maxModelLength`,
    )
  checkPrefixTrie(options, wrong)
}

function checkPrefixTrie(
  { prefixCache, prefixTrie, chunkTokens }: JetstreamOptions,
  wrong: (sentence: string) => never,
) {
  if (prefixCache !== (prefixTrie !== undefined))
    wrong('prefixCache must say whether there is a prefixTrie: the cache of this engine needs its sizes')
  if (prefixTrie === undefined) return
  const { deviceBytes, hostBytes } = prefixTrie
  if (chunkTokens === 0)
    wrong('a prefix cache (prefixCacheBytes) is for prompts that are computed in chunks: set chunkTokens too')
  if (hostBytes < deviceBytes)
    wrong(
      `the host keeps what the device keeps: prefixCacheHostBytes ${hostBytes} must not be below prefixCacheBytes ${deviceBytes}`,
    )
}
