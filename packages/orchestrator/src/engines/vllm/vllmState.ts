import { emptyBatch, type StepBatch } from '@windtunnel/cost/step/stepCost'
import type { Time } from '@windtunnel/des'
import { KvMemory } from '../../kv/kvMemory.ts'
import type { Facts } from '../../observer.ts'
import type { RequestTable } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import { DecodeGroup } from '../decodeGroup.ts'
import { type DecodePrices, pricesOf } from '../decodePrices.ts'
import type { EngineContext } from '../engine.ts'
import { RunningList } from '../runningList.ts'
import { StepQueue } from '../stepQueue.ts'
import { StepRun } from '../stepRun.ts'
import { FifoQueue, type WaitingQueue } from '../waitingQueue.ts'
import type { Reserve, VllmOptions } from './vllmOptions.ts'

/** All that one vLLM replica remembers. The functions beside this file change it, each file one part of the rules. */
export class VllmState extends StepQueue<StepRun> {
  readonly context: EngineContext
  readonly options: VllmOptions
  readonly table: RequestTable
  readonly facts: Facts
  readonly kv: KvMemory

  // What the options come to.
  /** Most tokens of one prompt in one step. */
  readonly chunkLimit: number
  readonly reserve: Reserve
  /** Blocks that an admission beside running requests leaves free. */
  readonly watermarkBlocks: number
  /** Admission counts the most blocks that the requests here can need. */
  readonly promises: boolean
  /** Emits the first token of a prompt that was prefilled elsewhere, having computed its last token again. */
  readonly emitsFirst: boolean

  // Steps.
  /** The run whose completed prompts have not yet joined the decode group. */
  joinFrom: StepRun | undefined

  // Requests.
  scheduler: Scheduler
  waiting: WaitingQueue
  /** The head of the queue waits for blocks or a slot: only an ending can help it. */
  blocked = false
  /** Steps for which waiting prompts have been held back. */
  heldSteps = 0
  /** Requests that have been admitted, those on their way here included. */
  running = 0
  /** Those that are scheduled again, in order of admission. */
  readonly list: RunningList
  /** Prompts in progress, in running order. */
  readonly prefilling: number[] = []
  /** Decoding requests as sums. */
  readonly group: DecodeGroup
  /** Of those that decode, some may end by themselves with the step in flight. */
  ghostly = false
  /** Requests whose client has left, to be dropped at the next composition. */
  readonly departures: number[] = []
  /** Transferred requests that join the decode group at the next composition. */
  readonly inserted: number[] = []

  // Blocks beyond those of the KV memory.
  /** Blocks that the decoding requests of the step being composed have taken already. */
  taken = 0
  /** Host blocks in use, and blocks copied out or in for the step being composed. */
  hostUsed = 0
  copied = 0
  /** Blocks brought back from the host's tier of the prefix cache for it. */
  loaded = 0
  /** Blocks that the requests here can need at most, where admission counts them. */
  promised = 0
  peakPromised = 0

  // Reused, so that no step allocates.
  prices: DecodePrices
  readonly batch: StepBatch = emptyBatch()
  readonly at: Time = { seconds: 0, ticks: 0 }
  /** Time of the look at the queue, for orders that follow what was delivered. */
  readonly clock: Time = { seconds: 0, ticks: 0 }

  constructor(context: EngineContext, options: VllmOptions) {
    super(options.asyncScheduling, () => new StepRun())
    this.context = context
    this.options = options
    this.table = context.table
    this.facts = context.facts
    this.watermarkBlocks = Math.floor(options.watermark * options.totalBlocks)
    this.chunkLimit = options.longPrefillThreshold > 0 ? options.longPrefillThreshold : Number.POSITIVE_INFINITY
    this.reserve = options.reserve ?? 'asNeeded'
    this.promises = this.reserve === 'guarantee' || this.reserve === 'maximum'
    this.emitsFirst = context.firstToken === 'generate'
    this.kv = new KvMemory(options, context.table, context.tree)
    this.group = new DecodeGroup(context.table, options.blockSize, context.attentionWindowTokens)
    this.prices = pricesOf(context.cost)
    this.list = new RunningList(context.table)
    this.scheduler = context.scheduler
    this.waiting = new FifoQueue(context.table)
  }
}
