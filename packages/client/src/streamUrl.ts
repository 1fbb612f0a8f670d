import { STREAM_PATH } from '@windtunnel/protocol'

export interface StreamAddress {
  /** Where the server is: `http://127.0.0.1:4173`, `ws://...`, or the full address of its stream. A `token` in it is kept. */
  readonly url: string
  /** Run to watch; the server's first when absent. */
  readonly run?: string
  /** Token of a server that asks for one. */
  readonly token?: string
  /** `binary` asks for messages as MessagePack: about two thirds of the bytes. Text when absent. */
  readonly encoding?: 'json' | 'binary'
}

/** The WebSocket address of the stream. Throws a TypeError when `url` is not an absolute URL. */
export function streamUrl({ url, run, token, encoding }: StreamAddress): string {
  const address = new URL(url)
  address.protocol = address.protocol === 'https:' || address.protocol === 'wss:' ? 'wss:' : 'ws:'
  address.hash = ''
  if (!address.pathname.endsWith(STREAM_PATH)) address.pathname = STREAM_PATH
  if (run !== undefined) address.searchParams.set('run', run)
  if (token !== undefined) address.searchParams.set('token', token)
  if (encoding !== undefined) address.searchParams.set('encoding', encoding)
  return address.href
}
