import type { Time } from '@windtunnel/des'
import type { Observer } from '../../observer.ts'
import type { RequestTable } from '../../requests.ts'
import type { EngineContext } from '../engine.ts'
import { queueFor } from '../queueFor.ts'
import type { WaitingQueue } from '../waitingQueue.ts'
import type { DetokeniseThread } from './detokeniseThread.ts'
import type { GenerateThread } from './generateThread.ts'
import type { JetstreamOptions } from './jetstreamOptions.ts'
import type { PrefillThread } from './prefillThread.ts'
import { PrefixStore } from './prefixStore.ts'
import { ServerMetrics } from './serverMetrics.ts'
import { Stages } from './stages.ts'
import type { TransferThread } from './transferThread.ts'

/** What the threads of one JetStream server share. */
export class Server {
  readonly context: EngineContext
  readonly options: JetstreamOptions
  readonly interleaved: boolean
  readonly table: RequestTable
  readonly stages: Stages
  readonly prefill: PrefillThread[] = []
  readonly transfer: TransferThread[] = []
  readonly generate: GenerateThread[] = []
  readonly detokenise: DetokeniseThread[] = []
  readonly metrics: ServerMetrics
  /** The prefix cache; undefined without one. */
  readonly prefixes: PrefixStore | undefined
  /** The prefill backlog: one queue for all prefill engines. */
  backlog: WaitingQueue
  /** Requests taken from the backlog and not ended. */
  running = 0
  stepsDone = 0

  constructor(context: EngineContext, options: JetstreamOptions, interleaved: boolean) {
    this.context = context
    this.options = options
    this.interleaved = interleaved
    this.table = context.table
    this.stages = new Stages(context.table)
    this.metrics = new ServerMetrics(this)
    const { prefixTrie, chunkTokens, maxPrefillLength, strict } = options
    if (prefixTrie !== undefined)
      this.prefixes = new PrefixStore(context.tree, prefixTrie, chunkTokens, maxPrefillLength, strict)
    this.backlog = queueFor(context.scheduler, context.table)
  }

  get observer(): Observer {
    return this.context.facts.observer
  }

  hasLeft(slot: number): boolean {
    return this.table.clientLeft[slot] === 1
  }

  /** The request is done, or its client has left and no thread has anything to do with it any more. */
  end(slot: number, now: Time): void {
    this.running -= 1
    this.context.finished(slot, now)
  }

  /** Whether a prompt waits for a prefill or a transfer thread. */
  hasPromptsWaiting(): boolean {
    return this.backlog.length > 0 || this.transfer.some((thread) => thread.backlog.length > 0)
  }

  setLastToken(slot: number, time: Time): void {
    this.table.lastTokenSeconds[slot] = time.seconds
    this.table.lastTokenTicks[slot] = time.ticks
  }
}

/** One of the threads. They advance in turn until none can. */
export interface Thread {
  /** When its work in hand ends; undefined when it has none. */
  readonly until: Time | undefined
  /** Its work in hand has ended. */
  end(now: Time): void
  /** Goes on until it works, blocks or has nothing to do; whether anything changed. */
  advance(now: Time): boolean
}
