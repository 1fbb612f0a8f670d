import { type DecodePiece, emptyBatch, type StepBatch } from '@windtunnel/cost/step/stepCost'
import type { Time } from '@windtunnel/des'
import { RadixMemory } from '../../kv/radixMemory.ts'
import { NO_SLOT, type RequestTable } from '../../requests.ts'
import type { Scheduler } from '../../schedulers/index.ts'
import { DecodeGroup } from '../decodeGroup.ts'
import type { EngineContext } from '../engine.ts'
import { queueFor } from '../queueFor.ts'
import { StepQueue } from '../stepQueue.ts'
import type { WaitingQueue } from '../waitingQueue.ts'
import { NewTokenRatio } from './newTokenRatio.ts'
import { PrefillBudget } from './prefillBudget.ts'
import { limitOf, producedBy } from './requestTokens.ts'
import { RunningForecast } from './runningForecast.ts'
import type { SglangOptions } from './sglangOptions.ts'
import { SglangRun } from './sglangRun.ts'

/** All that one SGLang replica remembers. The functions beside this file change it, each file one part of the rules. */
export class SglangState extends StepQueue<SglangRun> {
  readonly context: EngineContext
  readonly options: SglangOptions
  readonly table: RequestTable
  readonly kv: RadixMemory
  readonly ratio: NewTokenRatio
  readonly budget: PrefillBudget
  readonly receiveInterval: number

  // Steps.
  /** The run whose completed prompts have not yet joined the running requests. */
  joinFrom: SglangRun | undefined
  /** End of the last decode step that has ended. */
  readonly decodeEnd: Time = { seconds: 0, ticks: 0 }

  // Requests.
  scheduler: Scheduler
  waiting: WaitingQueue
  /** Requests that came since the engine last looked for new ones (`receiveInterval` above 1). */
  readonly unreceived: number[] = []
  /** Decode steps composed since it looked, up to and without the first step of the run composed last. */
  sinceReceived = 0
  /** Steps of the run composed last, of which none is left in progress; 0: it was no decode, or the engine idled. */
  endedDecodes = 0
  /** A request did not fit: nobody is looked at until a running one leaves (SGLang's batch_is_full). */
  full = false
  /** Requests that have a slot here, transfers on their way included. */
  running = 0
  /** Room given to transfers that have not joined yet. */
  reserved = 0
  /** Running requests as sums. */
  readonly group: DecodeGroup
  readonly members: RunningForecast
  /** The prompt that was cut and goes on in the next prefill batch. */
  chunked = NO_SLOT
  /** Requests that join in this composition: those completed by the last step, of which so many are in flight. */
  readonly fresh: number[] = []
  flying = 0
  insertedNow = 0
  /** Running requests that have not decoded yet although their prompt ended before the last step, or came by transfer. */
  readonly late: number[] = []
  /** Requests whose client has left, to be dropped at the next composition. */
  readonly departures: number[] = []
  /** Transferred requests that join at the next composition. */
  readonly inserted: number[] = []

  // Reused, so that no step allocates.
  readonly order: number[] = []
  readonly batch: StepBatch = emptyBatch()
  readonly piece: DecodePiece = { baseSeconds: 0, slopeSeconds: 0, windowSlopeSeconds: 0, validUntilContextTokens: 0 }
  readonly at: Time = { seconds: 0, ticks: 0 }
  readonly produced = (slot: number): number => producedBy(this, slot)

  constructor(context: EngineContext, options: SglangOptions) {
    super(options.overlap, () => new SglangRun())
    this.context = context
    this.options = options
    this.table = context.table
    this.receiveInterval = options.receiveInterval ?? 1
    this.kv = new RadixMemory(options, context.table, context.tree)
    this.ratio = new NewTokenRatio(options.conservativeness)
    this.budget = new PrefillBudget(options.blockSize)
    this.group = new DecodeGroup(context.table, options.blockSize, context.attentionWindowTokens)
    this.members = new RunningForecast(context.table, this.group, (slot) => limitOf(this, slot))
    this.scheduler = context.scheduler
    this.waiting = queueFor(context.scheduler, context.table)
  }
}
