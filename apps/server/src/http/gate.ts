import { createHash, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

export interface GateOptions {
  /** Address that the server listens on. */
  readonly host: string
  /** When given, the API and the stream need it: `Authorization: Bearer TOKEN`, or `?token=TOKEN`. */
  readonly token?: string
}

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]', '::1'])

export const isLoopback = (host: string): boolean => LOOPBACK.has(host)

const digest = (text: string): Buffer => createHash('sha256').update(text).digest()

/** The host name of a URL or of a Host header; undefined when it makes no sense. */
function hostname(url: string): string | undefined {
  try {
    return new URL(url).hostname
  } catch {
    return undefined
  }
}

/**
 * Whether a page of this origin may talk to us: none given (not a browser), the page we serve ourselves, or, while we
 * listen on loopback only, another page of this machine. A page elsewhere, or one whose name was bound to our address
 * (DNS rebinding), may not.
 */
export function originAllowed(request: Pick<IncomingMessage, 'headers'>, options: GateOptions): boolean {
  const { origin, host } = request.headers
  const asked = host === undefined ? undefined : hostname(`http://${host}`)
  if (isLoopback(options.host) && (asked === undefined || !isLoopback(asked))) return false
  if (origin === undefined) return true
  const from = hostname(origin)
  if (from === undefined) return false
  return isLoopback(options.host) ? isLoopback(from) : from === asked
}

/** Whether the request carries the token, when one is needed. Compared in constant time. */
export function tokenAccepted(request: Pick<IncomingMessage, 'headers' | 'url'>, options: GateOptions): boolean {
  if (options.token === undefined) return true
  const header = request.headers.authorization
  const given = header?.startsWith('Bearer ') === true ? header.slice(7) : tokenOf(request.url)
  return given !== undefined && timingSafeEqual(digest(given), digest(options.token))
}

function tokenOf(url: string | undefined): string | undefined {
  const query = url === undefined ? -1 : url.indexOf('?')
  return query < 0 ? undefined : (new URLSearchParams(url!.slice(query + 1)).get('token') ?? undefined)
}
