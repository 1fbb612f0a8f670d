import type { Duplex } from 'node:stream'
import type { WebSocket } from 'ws'
import type { Parcel } from './parcel.ts'
import type { Wire } from './viewer.ts'

/**
 * The wire of a WebSocket. Parcels are framed already and go to the connection below it in one write: with many viewers the
 * work for each of them is what counts. Nothing else sends data on this WebSocket.
 */
export class SocketWire implements Wire {
  readonly #socket: WebSocket
  readonly #connection: Duplex
  readonly #binary: boolean

  constructor(socket: WebSocket, connection: Duplex, binary: boolean) {
    this.#socket = socket
    this.#connection = connection
    this.#binary = binary
  }

  get bufferedAmount(): number {
    return this.#connection.writableLength
  }

  send(parcel: Parcel): void {
    if (this.#socket.readyState === this.#socket.OPEN) this.#connection.write(parcel.bytes(this.#binary))
  }

  terminate(): void {
    this.#socket.terminate()
  }
}
