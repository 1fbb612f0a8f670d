/** The part of the standard WebSocket that the client needs; browsers and Node have it as a global. */
export interface Socket {
  readonly readyState: number
  /** How binary messages arrive; the client sets it to `arraybuffer`. */
  binaryType: string
  send(text: string): void
  close(code?: number, reason?: string): void
  onopen: ((event: never) => void) | null
  onmessage: ((event: { data: unknown }) => void) | null
  onclose: ((event: { code: number; reason: string }) => void) | null
  onerror: ((event: never) => void) | null
}

export type OpenSocket = (url: string) => Socket

interface SocketMaker {
  new (url: string): Socket
}

/** The WebSocket of the platform. Throws when there is none: Node before 22. */
export const platformSocket: OpenSocket = (url) => {
  const { WebSocket } = globalThis as unknown as { WebSocket?: SocketMaker }
  if (WebSocket === undefined)
    throw new Error('This platform has no WebSocket; use Node 22 or later, or pass `openSocket`.')
  return new WebSocket(url)
}
