import type { RunRequest } from '@windtunnel/protocol'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { RunKeeper } from '../store/runKeeper.ts'
import type { RunStore } from '../store/runStore.ts'
import { freeName } from '../stream/freeName.ts'
import { RunDirectory } from '../stream/runDirectory.ts'
import type { RunHost, RunNews } from './runNews.ts'
import { openWorkerHost, type RunRecipe } from './workerHost.ts'

const MOST_RUNS = 16
const DEFAULT_SPEED = 10

/** Opens the run itself, in this thread or another, and lets it tell its news. */
export type OpenHost = (run: string, tell: (news: RunNews) => void) => Promise<RunHost>

export interface LiveRunsOptions {
  /** Most runs that live at once; 16 when absent. */
  readonly mostRuns?: number
  /** Keeps scenarios, commands, frames and summaries of scenario runs; the caller closes it. */
  readonly store?: RunStore
  /** Told of what went wrong without stopping the server. */
  readonly warn?: (message: string) => void
}

/** The runs of one server: opens them, keeps them, closes them. */
export class LiveRuns {
  readonly directory = new RunDirectory()
  readonly #options: LiveRunsOptions
  readonly #keepers = new Set<RunKeeper>()

  constructor(options: LiveRunsOptions) {
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
