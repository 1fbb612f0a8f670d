import { SECONDS_PER_TICK } from '@windtunnel/des'
import type { RequestTable } from '../requests.ts'
import type { QueuedRequest } from '../schedulers/index.ts'

/** A request of the table as a scheduler sees it. */
export const queuedRequest = (table: RequestTable, slot: number): QueuedRequest => ({
  arrivalSeconds: table.arrivalSeconds[slot]! + table.arrivalTicks[slot]! * SECONDS_PER_TICK,
  deadlineSeconds: table.deadlineSeconds[slot]!,
  inputTokens: table.inputTokens[slot]!,
  maxOutputTokens: table.maxTokens[slot]!,
  priority: table.priority[slot]!,
  tenant: table.tenant[slot]!,
  serviceClass: table.serviceClass[slot]!,
})
