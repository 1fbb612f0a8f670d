import { packMessage } from '@windtunnel/protocol/wireBinary'

/**
 * Messages as the bytes that go over the wire. The latest ones are remembered: a message goes to all viewers of a run in a
 * row, so that it becomes bytes once whatever their number.
 */
export class Packer {
  #text = ''
  #utf8: Buffer | undefined
  #packed: Uint8Array | undefined

  /** As UTF-8. */
  utf8(text: string): Buffer {
    this.#turnTo(text)
    this.#utf8 ??= Buffer.from(text)
    return this.#utf8
  }

  /** In the binary form. */
  packed(text: string): Uint8Array {
    this.#turnTo(text)
    this.#packed ??= packMessage(JSON.parse(text))
    return this.#packed
  }

  #turnTo(text: string): void {
    if (text === this.#text) return
    this.#text = text
    this.#utf8 = undefined
    this.#packed = undefined
  }
}
