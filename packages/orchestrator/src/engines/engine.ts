import type { StepCost } from '@windtunnel/cost'
import type { Time } from '@windtunnel/des'
import type { PromptTree } from '@windtunnel/workload'
import type { CacheHolders } from '../kv/cacheHolders.ts'
import type { Facts } from '../observer.ts'
import type { RequestTable } from '../requests.ts'
import type { Scheduler } from '../schedulers/index.ts'
import type { ServerMetric } from './serverMetric.ts'

/** Order of events at one instant (SEMANTICS.md). */
export const ORDER = { stepEnd: 0, transferEnd: 1, command: 2, arrival: 3, compose: 4 } as const

/** What every engine is told about its surroundings. */
export interface EngineContext {
  readonly replica: number
  readonly table: RequestTable
  readonly tree: PromptTree
  /** What steps cost that are composed now; another one after `costChanged`. */
  readonly cost: StepCost
  /** Attention window of the model's windowed layers, in tokens; undefined where every layer sees everything. */
  readonly attentionWindowTokens?: number | undefined
  readonly scheduler: Scheduler
  /** Stop after the first token and hand the KV over (`prefilled`). */
  readonly prefillOnly: boolean
  /** Disaggregated: which side emits the first token; the prefill side when absent. */
  readonly firstToken?: 'prefill' | 'generate' | undefined
  /** Prefill side, when caches travel while they are computed: a step that begins now brings the prompt to `tokens` tokens. */
  readonly computing?: ((slot: number, tokens: number, time: Time) => void) | undefined
  /** Prefill side, when caches travel while they are computed: the request has lost its blocks and waits again. */
  readonly preempted?: ((slot: number, time: Time) => void) | undefined
  /** Where facts go. Read it anew at each use: observers may join during a run. */
  readonly facts: Facts
  /** The request has ended as a success (or its client had left); the engine has dropped it. */
  readonly finished: (slot: number, time: Time) => void
  /** The request can never be served here. */
  readonly failed: (slot: number, time: Time, reason: string) => void
  /** A prefill engine has computed the prompt; it keeps the KV until `releaseTransferred`. */
  readonly prefilled: (slot: number, time: Time) => void
}

/** What every engine needs to know of its replica, whatever its rules. */
export interface EngineLimits {
  /** Most requests running at once. */
  maxSequences: number
  /** Tokens in one KV block. */
  blockSize: number
  /** Usable KV blocks of the replica. */
  totalBlocks: number
  /** Longest prompt and output together, in tokens. */
  maxModelLength: number
  prefixCache: boolean
}

/** The batching loop of one replica as a state machine on virtual time. The fleet calls it in global time order. */
export interface Engine {
  /** Writes the time of its next event; returns its place in ORDER, or undefined when it waits for others. */
  nextEvent(into: Time): number | undefined
  /** Handles the event that `nextEvent` announced; `now` is its time. */
  handle(now: Time): void
  /** A reason why this request can never be served here; undefined when it can. */
  refuses(slot: number): string | undefined
  /** The request joins the waiting queue. */
  enqueue(slot: number, now: Time): void
  /** A prefilled request arrives with its KV: its blocks are already reserved by `reserveIncoming`. */
  insert(slot: number, now: Time): void
  /** Reserves blocks for a cache that is to be transferred here; false when there is no room now. */
  reserveIncoming(slot: number, now: Time): boolean
  /** Gives back what `reserveIncoming` took: the request will not come. */
  cancelIncoming(slot: number, now: Time): void
  /** Frees the KV of a request that has been handed over. */
  releaseTransferred(slot: number, now: Time): void
  /** The client has left: the engine drops the request at its next step boundary, then calls `finished`. */
  abandon(slot: number, now: Time): void
  /** The context has another `cost` from `now` on. */
  costChanged(now: Time): void
  /** Another queue order and victim rule from `now` on. */
  setScheduler(scheduler: Scheduler, now: Time): void
  /** Tokens delivered to the client by `now`. */
  emittedBy(slot: number, now: Time): number
  /** Tells observers about steps that have ended by `now`; changes nothing else. */
  report(now: Time): void
  /** Leading tokens of a prompt that are cached and visible to others now. */
  cachedTokens(leaf: number, inputTokens: number, now: Time): number
  /** Reports in which nodes of the prompt tree it caches something, now and from now on. An engine without it is asked each time. */
  tellHolders?(holders: CacheHolders): void
  /** From now on others see cached text so many seconds after it became visible. */
  delayCacheEvents?(seconds: number): void
  /** Whether it can send KV while it computes (`computing`) and emit first tokens on the generate side. */
  readonly streamsPrefill?: boolean
  readonly running: number
  readonly waiting: number
  readonly usedBlocks: number
  readonly peakUsedBlocks: number
  readonly totalBlocks: number
  readonly stepsDone: number
  /** Sum of the context of the sequences that decode now, in tokens. */
  contextTokensAt(now: Time): number
  /** What the simulated server says of itself on its metrics page; an engine without it has none. */
  serverMetrics?(now: Time): readonly ServerMetric[]
  /** Why nothing moves, for a "no progress" message. */
  stuckReason(): string
}

/** An engine of the registry: a batching loop with options of its own. */
export interface EngineKind<Options extends EngineLimits = EngineLimits> {
  readonly name: string
  readonly description: string
  /** Throws a RangeError with a sentence when options contradict each other. */
  create(context: EngineContext, options: Options): Engine
}
