import { randomBytes } from 'node:crypto'
import { isLoopback } from './http/gate.ts'
import { type HttpLimits, OTHER_CONNECTIONS, openHttpServer, SILENT_SECONDS } from './http/httpServer.ts'
import { listen } from './http/listen.ts'
import { DEFAULT_LIMITS, type Limits } from './limits.ts'
import { both, silent } from './observe/log.ts'
import { noTelemetry, type Telemetry } from './observe/telemetry.ts'
import { LiveRuns, type LiveRunsOptions, type OpenHost } from './run/liveRuns.ts'
import type { RunRecipe } from './run/workerHost.ts'
import type { RunDirectory } from './stream/runDirectory.ts'
import { PING_SECONDS, type StreamLimits, StreamServer } from './stream/streamServer.ts'

export interface ServerOptions extends Omit<LiveRunsOptions, 'mostRuns'> {
  readonly host?: string
  readonly port?: number
  /** Without one, an address other than loopback gets a token of its own making. */
  readonly token?: string
  readonly limits?: Partial<Limits & StreamLimits & HttpLimits>
  /** The caller closes it. */
  readonly telemetry?: Telemetry
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
  const { host = '127.0.0.1', port = 4173, store, telemetry = noTelemetry } = options
  const log = both(options.log ?? silent, telemetry.log)
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(18).toString('base64url'))
  const gate = { host, ...(token === undefined ? {} : { token }) }
  const limits = { ...DEFAULT_LIMITS, pingSeconds: PING_SECONDS, silentSeconds: SILENT_SECONDS, ...options.limits }
  const { silentSeconds, connections = limits.viewers + OTHER_CONNECTIONS } = limits
  const runs = new LiveRuns({ ...options, mostRuns: limits.runs, log })
  const stream = new StreamServer(runs.directory, gate, limits, { log, span: telemetry.span })
  telemetry.gauge('windtunnel.server.viewers', 'Viewers connected.', () => stream.viewers)
  telemetry.gauge('windtunnel.server.runs', 'Runs that live.', () => runs.directory.all().length)
  const told = {
    directory: runs.directory,
    viewers: () => stream.viewers,
    refused: () => stream.refused,
    runs,
    store,
    bodyBytes: limits.bodyBytes,
  }
  const http = await openHttpServer(told, gate, { log, context: telemetry.context }, { silentSeconds, connections })
  http.server.on('upgrade', stream.upgrade)
  const close = async (): Promise<void> => {
    log('info', 'server stops')
    // Viewers first: to them the server stops, and no run was taken away.
    await stream.close()
    await runs.close()
    await http.close()
  }
  const bound = await listen(http.server, port, host).catch(async (cause: unknown) => {
    await close()
    throw cause
  })
  log('info', 'server listens', { host, port: bound, token: token !== undefined })
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
