import type { Speed } from '@windtunnel/protocol'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { openWorkerHost } from './run/workerHost.ts'
import { type ServerOptions, startServer } from './startServer.ts'

export interface ServeOptions extends ServerOptions {
  readonly scenario: Scenario
  /** Where relative paths in the scenario start; the working directory when absent. */
  readonly folder?: string
  readonly speed?: Speed
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
  const server = await startServer(options)
  try {
    await server.openRun(runName(scenario.name), (run, tell) =>
      openWorkerHost({ run, scenario, folder, speed, autostart: true }, tell),
    )
    if (port !== 0 && server.port !== port) say(`Port ${port} is in use; taking ${server.port} instead.`)
    say(`${scenario.name} is running on ${server.url}`)
    say('Press Ctrl-C to stop.')
    await (options.stop === undefined ? interrupted() : aborted(options.stop))
  } finally {
    await server.close()
  }
}

/** A name that needs no escaping in an address. */
const runName = (name: string): string =>
  name
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'run'

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
