import { SECONDS_PER_TICK } from '@windtunnel/des'
import type { RequestTable } from '../requests.ts'
import type { Scheduler } from '../schedulers/index.ts'
import { FifoQueue, RankedQueue, type WaitingQueue } from './waitingQueue.ts'

/** An empty queue in the order that `scheduler` asks for. */
export function queueFor(scheduler: Scheduler, table: RequestTable): WaitingQueue {
  const { rank } = scheduler
  if (rank === undefined) return new FifoQueue(table)
  return new RankedQueue(table, (slot) =>
    rank({
      arrivalSeconds: table.arrivalSeconds[slot]! + table.arrivalTicks[slot]! * SECONDS_PER_TICK,
      inputTokens: table.inputTokens[slot]!,
      maxOutputTokens: table.maxTokens[slot]!,
      priority: table.priority[slot]!,
      tenant: table.tenant[slot]!,
      serviceClass: table.serviceClass[slot]!,
    }),
  )
}

/** The requests of `old` in a queue of another order. */
export function refiled(old: WaitingQueue, scheduler: Scheduler, table: RequestTable): WaitingQueue {
  const queue = queueFor(scheduler, table)
  while (old.length > 0) {
    const slot = old.head()
    old.remove(slot)
    queue.push(slot)
  }
  return queue
}
