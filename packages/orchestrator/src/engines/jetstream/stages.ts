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
  #table: RequestTable

  constructor(table: RequestTable) {
    this.#table = table
  }

  /** A new request. */
  open(slot: number): void {
    if (slot >= this.generate.length) this.#grow()
    this.firstOut[slot] = 0
    this.holdsSlot[slot] = 0
    this.live[slot] = 0
    this.ownTime[slot] = 0
  }

  #grow(): void {
    const { capacity } = this.#table
    const longer = (column: Uint8Array): Uint8Array<ArrayBuffer> => {
      const grown = new Uint8Array(capacity)
      grown.set(column)
      return grown
    }
    this.firstOut = longer(this.firstOut)
    this.holdsSlot = longer(this.holdsSlot)
    this.live = longer(this.live)
    this.ownTime = longer(this.ownTime)
    const generate = new Int32Array(capacity)
    generate.set(this.generate)
    this.generate = generate
  }
}
