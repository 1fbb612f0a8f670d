import type { RequestTable } from '../requests.ts'
import type { Scheduler } from '../schedulers/index.ts'
import { queuedRequest } from './queuedRequest.ts'
import { FifoQueue, RankedQueue, type WaitingQueue } from './waitingQueue.ts'

/** An empty queue in the order that `scheduler` asks for. Throws a RangeError for an order that must be asked at every step. */
export const queueFor = (scheduler: Scheduler, table: RequestTable): WaitingQueue => {
  const { rank } = scheduler
  if (scheduler.start !== undefined)
    throw new RangeError(
      `scheduler ${scheduler.name} changes its order while requests wait, and this engine orders its queue once; take another scheduler, or the engine vllm (sglang orders by prefix with its own option, policy: lpm)`,
    )
  if (rank === undefined) return new FifoQueue(table)
  return new RankedQueue(table, (slot) => rank(queuedRequest(table, slot)))
}

/** The requests of `old` in a queue of another order. */
export const refiled = (old: WaitingQueue, scheduler: Scheduler, table: RequestTable): WaitingQueue => {
  const queue = queueFor(scheduler, table)
  while (old.length > 0) {
    const slot = old.head()
    old.remove(slot)
    queue.push(slot)
  }
  return queue
}
