import { packMessage } from '@windtunnel/protocol/wireBinary'

/**
 * Messages in their binary form. The latest one is remembered: a message goes to all viewers of a run in a row, so that it
 * is packed once whatever their number.
 */
export class Packer {
  #text = ''
  #bytes = new Uint8Array()

  pack(text: string): Uint8Array {
    if (text !== this.#text) {
      this.#bytes = packMessage(JSON.parse(text))
      this.#text = text
    }
    return this.#bytes
  }
}
