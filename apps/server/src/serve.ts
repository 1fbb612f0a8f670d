import type { Speed } from '@windtunnel/protocol'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { type ServerOptions, startServer } from './startServer.ts'
import { RunStore } from './store/runStore.ts'
import { storePath } from './store/storePath.ts'
import { freeName } from './stream/freeName.ts'

export interface ServeOptions extends Omit<ServerOptions, 'store' | 'warn'> {
  readonly scenario: Scenario
  /** Where relative paths in the scenario start; the working directory when absent. */
  readonly folder?: string
  readonly speed?: Speed
  /** SQLite file in which runs are kept; the user's own when absent, none when undefined. */
  readonly storeFile?: string | undefined
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
  const store = openStore('storeFile' in options ? options.storeFile : storePath(), say)
  const server = await startServer({ ...options, warn: say, ...(store === undefined ? {} : { store }) })
  try {
    const run = freeName(scenario.name, () => false)
    await server.openScenario({ run, scenario, folder, speed, autostart: true })
    if (port !== 0 && server.port !== port) say(`Port ${port} is in use; taking ${server.port} instead.`)
    say(`${scenario.name} is running on ${server.url}`)
    say('Press Ctrl-C to stop.')
    await (options.stop === undefined ? interrupted() : aborted(options.stop))
  } finally {
    await server.close()
    store?.close()
  }
}

/** The store, or none and a word about it: a run does not fail because it cannot be kept. */
function openStore(path: string | undefined, say: (line: string) => void): RunStore | undefined {
  if (path === undefined) return undefined
  try {
    return new RunStore(path)
  } catch (cause) {
    say(`Runs are not kept: ${path} cannot be opened (${cause instanceof Error ? cause.message : String(cause)}).`)
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
