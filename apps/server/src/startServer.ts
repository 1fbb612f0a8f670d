import { randomBytes } from 'node:crypto'
import { isLoopback } from './http/gate.ts'
import { openHttpServer } from './http/httpServer.ts'
import { listen } from './http/listen.ts'
import type { RunHost, RunNews } from './run/runNews.ts'
import { RunDirectory } from './stream/runDirectory.ts'
import { DEFAULT_LIMITS, type StreamLimits, StreamServer } from './stream/streamServer.ts'

/** Opens the run itself, in this thread or another, and lets it tell its news. */
export type OpenHost = (run: string, tell: (news: RunNews) => void) => Promise<RunHost>

export interface ServerOptions {
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
  close(): Promise<void>
}

/** Opens the server: HTTP, the stream, and no run yet. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 4173 } = options
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(18).toString('base64url'))
  const gate = { host, ...(token === undefined ? {} : { token }) }
  const directory = new RunDirectory()
  const stream = new StreamServer(directory, gate, { ...DEFAULT_LIMITS, ...options.limits })
  const http = await openHttpServer({ directory, viewers: () => stream.viewers, refused: () => stream.refused }, gate)
  http.server.on('upgrade', stream.upgrade)
  const bound = await listen(http.server, port, host).catch(async (cause: unknown) => {
    await stream.close()
    await http.close()
    throw cause
  })
  const shown = host === '0.0.0.0' || host === '::' ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return {
    url: `http://${shown}:${bound}/${token === undefined ? '' : `?token=${token}`}`,
    host,
    port: bound,
    token,
    directory,
    openRun: (run, open) => openRun(directory, run, open),
    close: async () => {
      await directory.close()
      await stream.close()
      await http.close()
    },
  }
}

async function openRun(directory: RunDirectory, run: string, open: OpenHost): Promise<void> {
  const channel = directory.add(run)
  try {
    channel.connect(await open(run, channel.hear))
  } catch (cause) {
    await directory.remove(run)
    throw cause
  }
}
