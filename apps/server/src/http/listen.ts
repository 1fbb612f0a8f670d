import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'

const LARGEST_PORT = 65_535
const NEIGHBOURS = 20

interface SystemFault extends Error {
  readonly code?: string
}

function listenOnce(server: Server, port: number, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve((server.address() as AddressInfo).port)
    })
  })
}

/** The port asked for, its neighbours above, and at last whichever is free. */
function candidates(port: number): number[] {
  if (port === 0) return [0]
  const neighbours = Array.from({ length: NEIGHBOURS }, (_, index) => port + index)
  return [...neighbours.filter((candidate) => candidate <= LARGEST_PORT), 0]
}

/**
 * Listens on `port`, or, when it is taken, on the next free one. Returns the port. Rejects with a sentence when there is
 * no such port, or when the address cannot be used at all.
 */
export async function listen(server: Server, port: number, host: string): Promise<number> {
  if (!Number.isInteger(port) || port < 0 || port > LARGEST_PORT)
    throw new Error(`A port is a whole number from 0 (any free one) to ${LARGEST_PORT}; found ${port}.`)
  for (const candidate of candidates(port)) {
    try {
      return await listenOnce(server, candidate, host)
    } catch (cause) {
      const fault = cause as SystemFault
      if (fault.code === 'EADDRINUSE') continue
      throw new Error(`Cannot listen on ${host}, port ${candidate}: ${fault.message}. Choose another host or port.`)
    }
  }
  throw new Error(`No port is free on ${host}.`)
}
