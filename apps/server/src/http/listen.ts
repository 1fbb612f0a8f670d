import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const ATTEMPTS = 20

interface SystemFault extends Error {
  readonly code?: string
}

function listenOnce(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    const failed = (fault: Error): void => reject(fault)
    server.once('error', failed)
    server.listen(port, host, () => {
      server.off('error', failed)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/**
 * Listens on `port`, or, when it is taken, on the next free one. Returns the port. Rejects with a sentence when the
 * address cannot be used at all.
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const candidate = port === 0 || attempt < ATTEMPTS - 1 ? port + (port === 0 ? 0 : attempt) : 0
    try {
      return await listenOnce(server, Math.min(candidate, 65_535), host)
    } catch (cause) {
      const fault = cause as SystemFault
      if (fault.code === 'EADDRINUSE' || (fault.code === 'EACCES' && port > 0)) continue
      throw new Error(`Cannot listen on ${host} port ${port}: ${fault.message}. Choose another --host or --port.`)
    }
  }
  throw new Error(`No free port at or after ${port} on ${host}. Choose another with --port.`)
}
