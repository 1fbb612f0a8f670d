import type { RequestTable } from '../requests.ts'
import { NO_SLOT } from '../requests.ts'
import type { Picker, QueuedRequest, QueueView } from '../schedulers/index.ts'
import { queuedRequest } from './queuedRequest.ts'
import type { WaitingQueue } from './waitingQueue.ts'

/** What a dynamic order needs to know of its engine, as of the last `head`, `push` or `admitted`. */
export interface EngineProgress {
  /** Leading tokens of a waiting request's text in the prefix cache. */
  cachedTokens(slot: number): number
  /** Tokens delivered to a running request by now. */
  emittedTokens(slot: number): number
}

interface Service {
  /** Of requests that have left, and of prompts. */
  input: number
  output: number
  /** Requests running, with what they had been given before they were admitted. */
  readonly running: Map<number, number>
}

/** A queue whose head is chosen anew at every look. Costs what the picker costs, and a list of the waiting. */
export class PickedQueue implements WaitingQueue, QueueView {
  readonly dynamic = true
  private readonly table: RequestTable
  private readonly picker: Picker
  private readonly progress: EngineProgress
  private readonly slots: number[] = []
  private readonly services = new Map<number, Service>()

  constructor(table: RequestTable, picker: Picker, progress: EngineProgress) {
    this.table = table
    this.picker = picker
    this.progress = progress
  }

  get length(): number {
    return this.slots.length
  }

  get count(): number {
    return this.slots.length
  }

  head(): number {
    return this.slots.length === 0 ? NO_SLOT : this.slots[this.picker.pick(this)]!
  }

  push(slot: number): void {
    this.picker.joined?.(queuedRequest(this.table, slot), this)
    this.slots.push(slot)
  }

  pushBack(slot: number): void {
    this.slots.unshift(slot)
  }

  remove(slot: number): void {
    this.slots.splice(this.slots.indexOf(slot), 1)
  }

  /** The request, already removed, runs from now on. */
  admitted(slot: number): void {
    const table = this.table
    const service = this.serviceOf(table.tenant[slot]!)
    if (table.preemptions[slot] === 0) service.input += table.inputTokens[slot]!
    service.running.set(slot, table.emitted[slot]!)
    this.picker.admitted?.(queuedRequest(table, slot))
  }

  /** The request runs no longer; the table says how many tokens it was given. */
  left(slot: number): void {
    const service = this.serviceOf(this.table.tenant[slot]!)
    const before = service.running.get(slot)
    if (before === undefined) return
    service.output += this.table.emitted[slot]! - before
    service.running.delete(slot)
  }

  request(at: number): QueuedRequest {
    return queuedRequest(this.table, this.slots[at]!)
  }

  cachedTokens(at: number): number {
    return this.progress.cachedTokens(this.slots[at]!)
  }

  servedInput(tenant: number): number {
    return this.services.get(tenant)?.input ?? 0
  }

  servedOutput(tenant: number): number {
    const service = this.services.get(tenant)
    if (service === undefined) return 0
    let sum = service.output
    for (const [slot, before] of service.running) sum += this.progress.emittedTokens(slot) - before
    return sum
  }

  private serviceOf(tenant: number): Service {
    const known = this.services.get(tenant)
    if (known !== undefined) return known
    const service = { input: 0, output: 0, running: new Map<number, number>() }
    this.services.set(tenant, service)
    return service
  }
}
