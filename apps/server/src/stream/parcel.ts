import { packMessage } from '@windtunnel/protocol/wireBinary'
import { framedTexts, framedValues } from './webSocketFrame.ts'

/** A message for viewers as text, and what may become of it when a viewer reads slowly. */
export interface Message {
  readonly kind: 'frame' | 'event' | 'sample' | 'ended' | 'reply'
  readonly text: string
}

/**
 * Messages that go to viewers together, in their order: the bytes that go over the wire, WebSocket frames and all, are made
 * once in each form, whatever the number of viewers, and each viewer gets them in one write.
 */
export class Parcel {
  readonly messages: readonly Message[]
  #json: Buffer | undefined
  #binary: Buffer | undefined

  constructor(messages: readonly Message[]) {
    this.messages = messages
  }

  /** `binary`: as MessagePack; as JSON text otherwise. */
  bytes(binary: boolean): Buffer {
    if (binary) {
      this.#binary ??= framedValues(this.messages.map(({ text }) => packMessage(JSON.parse(text))))
      return this.#binary
    }
    this.#json ??= framedTexts(this.messages.map(({ text }) => text))
    return this.#json
  }
}
