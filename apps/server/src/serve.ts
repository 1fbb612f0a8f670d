import type { Speed } from '@windtunnel/protocol'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { limitsOf } from './limits.ts'
import { jsonLines, leastLevel } from './observe/log.ts'
import { telemetryOf } from './observe/telemetry.ts'
import { type ServerOptions, startServer } from './startServer.ts'
import { openStore } from './store/openStore.ts'
import type { RunStore } from './store/runStore.ts'
import { shownAddress, storeAddress } from './store/storeAddress.ts'
import { freeName } from './stream/freeName.ts'

export interface ServeOptions extends Omit<ServerOptions, 'store' | 'telemetry'> {
  readonly scenario: Scenario
  /** Where relative paths in the scenario start; the working directory when absent. */
  readonly folder?: string
  readonly speed?: Speed
  /** Where runs are kept: a SQLite file or `postgres://...`; as `storeAddress` says when absent, nowhere when undefined. */
  readonly storeAt?: string | undefined
  /** Writes a line for the person who started the server. */
  readonly say?: (line: string) => void
  /** Ends the server; Ctrl-C and SIGTERM do when absent. */
  readonly stop?: AbortSignal
}

const DEFAULT_PORT = 4173
const DEFAULT_SPEED = 10

/** Plays a scenario live in the browser until it is stopped. Resolves when everything has ended cleanly. */
export async function serve(options: ServeOptions): Promise<void> {
  const { scenario, folder = process.cwd(), speed = DEFAULT_SPEED, port = DEFAULT_PORT } = options
  const say = options.say ?? ((line: string) => void process.stdout.write(`${line}\n`))
  const log =
    options.log ?? jsonLines(leastLevel(process.env, process.stderr.isTTY), (line) => process.stderr.write(line))
  const store = await storeAt('storeAt' in options ? options.storeAt : storeAddress(), say)
  const telemetry = await telemetryOf()
  const server = await startServer({
    ...options,
    limits: { ...limitsOf(process.env), ...options.limits },
    log,
    telemetry,
    ...(store === undefined ? {} : { store }),
  })
  try {
    const run = freeName(scenario.name, () => false)
    await server.openScenario({ run, scenario, folder, speed, autostart: true })
    if (port !== 0 && server.port !== port) say(`Port ${port} is in use; taking ${server.port} instead.`)
    say(`${scenario.name} is running on ${server.url}`)
    say('Press Ctrl-C to stop.')
    await (options.stop === undefined ? interrupted() : aborted(options.stop))
  } finally {
    await server.close()
    await store?.close()
    await telemetry.close()
  }
}

/** The store, or none and a word about it: a run does not fail because it cannot be kept. */
async function storeAt(address: string | undefined, say: (line: string) => void): Promise<RunStore | undefined> {
  if (address === undefined) return undefined
  try {
    return await openStore(address)
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message || cause.name : String(cause)
    say(`Runs are not kept: ${shownAddress(address)} cannot be opened (${reason}).`)
    return undefined
  }
}

function interrupted(): Promise<void> {
  return new Promise((resolve) => {
    const stop = (): void => {
      process.off('SIGINT', stop)
      process.off('SIGTERM', stop)
      resolve()
    }
    process.on('SIGINT', stop)
    process.on('SIGTERM', stop)
  })
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
