import { randomBytes } from 'node:crypto'
import type { RunRequest } from '@windtunnel/protocol'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { isLoopback } from './http/gate.ts'
import { openHttpServer } from './http/httpServer.ts'
import { listen } from './http/listen.ts'
import type { RunHost, RunNews } from './run/runNews.ts'
import { openWorkerHost, type RunRecipe } from './run/workerHost.ts'
import { RunKeeper } from './store/runKeeper.ts'
import type { RunStore } from './store/runStore.ts'
import { freeName } from './stream/freeName.ts'
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
  /** Most runs that live at once. */
  readonly mostRuns?: number
  /** Keeps scenarios, commands, frames and summaries of scenario runs; the caller closes it. */
  readonly store?: RunStore
  /** Told of what went wrong without stopping the server. */
  readonly warn?: (message: string) => void
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

const MOST_RUNS = 16
const DEFAULT_SPEED = 10

/** Opens the server: HTTP, the stream, and no run yet. */
export async function startServer(options: ServerOptions = {}): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 4173, store } = options
  const token = options.token ?? (isLoopback(host) ? undefined : randomBytes(18).toString('base64url'))
  const gate = { host, ...(token === undefined ? {} : { token }) }
  const runs = new LiveRuns(options)
  const stream = new StreamServer(runs.directory, gate, { ...DEFAULT_LIMITS, ...options.limits })
  const told = { directory: runs.directory, viewers: () => stream.viewers, refused: () => stream.refused }
  const open = (scenario: Scenario, request: RunRequest) => runs.openRequested(scenario, request)
  const http = await openHttpServer({ ...told, open, store }, gate)
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

/** The runs of one server: opens them, keeps them, closes them. */
class LiveRuns {
  readonly directory = new RunDirectory()
  readonly #options: ServerOptions
  readonly #keepers = new Set<RunKeeper>()

  constructor(options: ServerOptions) {
    this.#options = options
  }

  async open(run: string, open: OpenHost, alsoTell: (news: RunNews) => void = () => {}): Promise<void> {
    const most = this.#options.mostRuns ?? MOST_RUNS
    if (this.directory.all().length >= most) throw new Error(`There are ${most} runs already; take one away first.`)
    const channel = this.directory.add(run)
    const tell = (news: RunNews): void => {
      channel.hear(news)
      alsoTell(news)
    }
    try {
      channel.connect(await open(run, tell))
    } catch (cause) {
      await this.directory.remove(run)
      throw cause
    }
  }

  async openScenario(recipe: RunRecipe): Promise<void> {
    const { store, warn = () => {} } = this.#options
    const open: OpenHost = (_, tell) => openWorkerHost(recipe, tell)
    if (store === undefined) return this.open(recipe.run, open)
    const keeper = new RunKeeper({
      store,
      run: recipe.run,
      scenarioDocument: JSON.stringify(recipe.scenario),
      askLog: async () => (await this.directory.get(recipe.run)?.ask({ kind: 'question', about: 'log' })) ?? '',
      fault: (cause) => warn(`The run ${recipe.run} is not kept any more: ${String(cause)}`),
    })
    this.#keepers.add(keeper)
    await this.open(recipe.run, open, keeper.hear)
  }

  async openRequested(scenario: Scenario, request: RunRequest): Promise<string> {
    const run = request.name ?? freeName(scenario.name, (name) => this.directory.get(name) !== undefined)
    const { seed, speed = DEFAULT_SPEED, start = true } = request
    const recipe = { run, scenario, folder: '.', speed, autostart: start, ...(seed === undefined ? {} : { seed }) }
    await this.openScenario(recipe)
    return run
  }

  async close(): Promise<void> {
    for (const keeper of this.#keepers) keeper.close()
    await this.directory.close()
  }
}
