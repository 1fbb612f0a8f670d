import { randomBytes } from 'node:crypto'
import { connect, type Socket } from 'node:net'
import { STREAM_PATH } from '@windtunnel/protocol'

/** A viewer that reads all it is sent and looks at none of it, so that it takes little of the machine that is measured. */
export class SilentViewer {
  bytes = 0
  readonly #socket: Socket

  constructor(port: number) {
    this.#socket = connect(port, '127.0.0.1')
    this.#socket.on('error', () => undefined)
    this.#socket.on('data', (piece) => {
      this.bytes += piece.length
    })
    const key = randomBytes(16).toString('base64')
    const head = [
      `GET ${STREAM_PATH} HTTP/1.1`,
      `Host: 127.0.0.1:${port}`,
      'Upgrade: websocket',
      'Connection: Upgrade',
      `Sec-WebSocket-Key: ${key}`,
      'Sec-WebSocket-Version: 13',
    ]
    this.#socket.write(`${head.join('\r\n')}\r\n\r\n`)
  }

  stop(): void {
    this.#socket.destroy()
  }
}
