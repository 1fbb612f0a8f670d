import { randomBytes } from 'node:crypto'
import { isLoopback } from './http/gate.ts'
import { openHttpServer } from './http/httpServer.ts'
import { listen } from './http/listen.ts'
import { LiveRuns, type LiveRunsOptions, type OpenHost } from './run/liveRuns.ts'
import type { RunRecipe } from './run/workerHost.ts'
import type { RunDirectory } from './stream/runDirectory.ts'
import { DEFAULT_LIMITS, type StreamLimits, StreamServer } from './stream/streamServer.ts'

export interface ServerOptions extends LiveRunsOptions {
  readonly host?: string
  readonly port?: number
  /** Without one, an address other than loopback gets a token of its own making. */
  readonly token?: string
  readonly limits?: Partial<StreamLimits>
}

export interface RunningServer {
  readonly url: string
  readonly host: string
  readonly port: number
  readonly token: string | undefined
  readonly directory: RunDirectory
  /** Adds a run under a name of its own. Rejects, and adds nothing, when it cannot be opened. */
  openRun(run: string, open: OpenHost): Promise<void>
  /** Plays a scenario in a thread of its own, and keeps it when there is a store. */
  openScenario(recipe: RunRecipe): Promise<void>
  close(): Promise<void>
}

/** Opens the server: HTTP, the stream, and no run yet. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 4173, store } = options
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(18).toString('base64url'))
  const gate = { host, ...(token === undefined ? {} : { token }) }
  const runs = new LiveRuns(options)
  const stream = new StreamServer(runs.directory, gate, { ...DEFAULT_LIMITS, ...options.limits })
  const told = {
    directory: runs.directory,
    viewers: () => stream.viewers,
    refused: () => stream.refused,
    runs,
    store,
  }
  const http = await openHttpServer(told, gate)
  http.server.on('upgrade', stream.upgrade)
  const close = async (): Promise<void> => {
    await runs.close()
    await stream.close()
    await http.close()
  }
  const bound = await listen(http.server, port, host).catch(async (cause: unknown) => {
    await close()
    throw cause
  })
  return {
    url: addressOf(host, bound, token),
    host,
    port: bound,
    token,
    directory: runs.directory,
    openRun: (run, openHost) => runs.open(run, openHost),
    openScenario: (recipe) => runs.openScenario(recipe),
    close,
  }
}

function addressOf(host: string, port: number, token: string | undefined): string {
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `http://${shown}:${port}/${token === undefined ? '' : `?token=${token}`}`
}
