import type { RequestTable } from '../../requests.ts'

/** What a server notes of its requests beside the table: columns by the table's slots. */
export class Stages {
  /** 1 once its first token has been detokenised. */
  firstOut = new Uint8Array(0)
  /** 1 while it occupies a decode slot. */
  holdsSlot = new Uint8Array(0)
  /** 1 once the detokenise thread reads its tokens. */
  live = new Uint8Array(0)
  /** 1 while its last token came at a time of its own, not with the last step of its generate engine. */
  ownTime = new Uint8Array(0)
  /** Index of its generate engine. */
  generate = new Int32Array(0)
  /** When it came to the server, and when its prefill thread took it, virtual seconds. */
  enqueuedAt = new Float64Array(0)
  dequeuedAt = new Float64Array(0)
  /** When its prompt was computed, and its first token detokenised. */
  prefilledAt = new Float64Array(0)
  firstAt = new Float64Array(0)
  /** When its transfer thread took it, and put it before its generate engine, which took it then. */
  transferTakenAt = new Float64Array(0)
  generateQueuedAt = new Float64Array(0)
  generateTakenAt = new Float64Array(0)
  #table: RequestTable

  constructor(table: RequestTable) {
    this.#table = table
  }

  /** A new request that comes at `seconds`. */
  open(slot: number, seconds: number): void {
    if (slot >= this.generate.length) this.#grow()
    this.enqueuedAt[slot] = seconds
    this.firstOut[slot] = 0
    this.holdsSlot[slot] = 0
    this.live[slot] = 0
    this.ownTime[slot] = 0
  }

  #grow(): void {
    const { capacity } = this.#table
    const columns = this as unknown as Record<string, Uint8Array | Int32Array | Float64Array>
    for (const [name, Column] of COLUMNS) {
      const grown = new Column(capacity)
      grown.set(columns[name]!)
      columns[name] = grown
    }
  }
}

type ColumnType = typeof Uint8Array | typeof Int32Array | typeof Float64Array

const COLUMNS: readonly (readonly [string, ColumnType])[] = [
  ...(['firstOut', 'holdsSlot', 'live', 'ownTime'] as const).map((name) => [name, Uint8Array] as const),
  ['generate', Int32Array],
  ...(
    [
      'enqueuedAt',
      'dequeuedAt',
      'prefilledAt',
      'firstAt',
      'transferTakenAt',
      'generateQueuedAt',
      'generateTakenAt',
    ] as const
  ).map((name) => [name, Float64Array] as const),
]
