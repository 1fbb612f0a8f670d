import { NO_SLOT, type RequestTable } from '../../requests.ts'

/**
 * The rows of one static batch. A row costs until the batch is over, whether its request has ended or not. Requests stand
 * in order of their ending: by output tokens, then by place in the batch.
 */
export class PaddedBatch {
  /** Rows, ended ones included. */
  rows = 0
  /** Requests that have not ended. */
  live = 0
  /** Longest prompt, and longest output that clients allow, in tokens. */
  inputTokens = 0
  maxTokens = 0
  /** Decode steps that have ended. */
  steps = 0
  /** Members in order of admission. */
  readonly members: number[] = []
  private table: RequestTable
  private byEnding: number[] = []
  private next = 0

  constructor(table: RequestTable) {
    this.table = table
  }

  clear(): void {
    this.rows = 0
    this.live = 0
    this.inputTokens = 0
    this.maxTokens = 0
    this.steps = 0
    this.members.length = 0
  }

  /** KV blocks the batch would reserve with the request in it: every row the same. */
  blocksWith(slot: number, blockSize: number): number {
    const input = Math.max(this.inputTokens, this.table.inputTokens[slot]!)
    const limit = Math.max(this.maxTokens, this.table.maxTokens[slot]!)
    return (this.rows + 1) * Math.ceil((input + limit) / blockSize)
  }

  add(slot: number): void {
    this.rows += 1
    this.live += 1
    this.inputTokens = Math.max(this.inputTokens, this.table.inputTokens[slot]!)
    this.maxTokens = Math.max(this.maxTokens, this.table.maxTokens[slot]!)
    this.members.push(slot)
  }

  /** All members are in. */
  close(): void {
    const { outputTokens } = this.table
    this.byEnding = [...this.members].sort((a, b) => outputTokens[a]! - outputTokens[b]!)
    this.next = 0
  }

  /** The request that ends next, NO_SLOT when all have ended. */
  nextToEnd(): number {
    return this.next < this.byEnding.length ? this.byEnding[this.next]! : NO_SLOT
  }

  /** The request that ends next has ended. */
  endNext(): void {
    this.next += 1
    this.live -= 1
  }

  /** The request leaves the batch before its end; its row goes on. */
  drop(slot: number): void {
    this.byEnding.splice(this.byEnding.indexOf(slot, this.next), 1)
    this.live -= 1
  }
}
