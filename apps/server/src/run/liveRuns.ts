import type { ReopenRequest, RunRequest } from '@windtunnel/protocol'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { DEFAULT_LIMITS } from '../limits.ts'
import { type Log, silent } from '../observe/log.ts'
import { recipeOf } from '../store/keptRecipe.ts'
import { RunKeeper } from '../store/runKeeper.ts'
import type { RunStore, StoredRun } from '../store/runStore.ts'
import { freeName } from '../stream/freeName.ts'
import { RunDirectory } from '../stream/runDirectory.ts'
import type { RunHost, RunNews } from './runNews.ts'
import { openWorkerHost, type RunRecipe } from './workerHost.ts'

const DEFAULT_SPEED = 10
const ANSWER_SECONDS = 2

/** Opens the run itself, in this thread or another, and lets it tell its news. */
export type OpenHost = (run: string, tell: (news: RunNews) => void) => Promise<RunHost>

export interface LiveRunsOptions {
  /** Most runs that live at once. */
  readonly mostRuns?: number
  /** Keeps scenarios, commands, frames and summaries of scenario runs; the caller closes it. */
  readonly store?: RunStore
  readonly log?: Log
}

/** The runs of one server: opens them, keeps them, closes them. */
export class LiveRuns {
  readonly directory = new RunDirectory()
  readonly #options: LiveRunsOptions
  readonly #keepers = new Map<string, RunKeeper>()

  constructor(options: LiveRunsOptions) {
    this.#options = options
  }

  async open(run: string, open: OpenHost, alsoTell: (news: RunNews) => void = () => {}): Promise<void> {
    const most = this.#options.mostRuns ?? DEFAULT_LIMITS.runs
    if (this.directory.all().length >= most) throw new Error(`There are ${most} runs already; take one away first.`)
    const { log = silent } = this.#options
    const channel = this.directory.add(run)
    const tell = (news: RunNews): void => {
      if (news.kind === 'ended') log('info', 'run ended', { run, simulatedSeconds: news.summary.simulatedSeconds })
      if (news.kind === 'broken') log('error', 'run broke', { run, reason: news.message })
      channel.hear(news)
      alsoTell(news)
    }
    try {
      const host = await open(run, tell)
      if (this.directory.get(run) !== channel) {
        await host.close()
        throw new Error(`The run ${run} was taken away before it was open.`)
      }
      channel.connect(host)
      log('info', 'run opened', { run })
    } catch (cause) {
      log('warn', 'run not opened', { run, reason: sentence(cause) })
      if (this.directory.get(run) === channel) await this.directory.remove(run)
      throw cause
    }
  }

  async openScenario(recipe: RunRecipe): Promise<void> {
    const { store, log = silent } = this.#options
    const open: OpenHost = (_, tell) => openWorkerHost(recipe, tell)
    if (store === undefined) return this.open(recipe.run, open)
    const keeper = new RunKeeper({
      store,
      run: recipe.run,
      scenarioDocument: JSON.stringify(recipe.scenario),
      folder: recipe.folder,
      fault: (cause) => log('error', 'the run is not kept', { run: recipe.run, reason: sentence(cause) }),
    })
    try {
      await this.open(recipe.run, open, keeper.hear)
      this.#keepers.set(recipe.run, keeper)
    } catch (cause) {
      await keeper.close(undefined)
      throw cause
    }
  }

  async openRequested(scenario: Scenario, request: RunRequest): Promise<string> {
    const run = this.#nameFor(scenario, request.name)
    const { seed, speed = DEFAULT_SPEED, start = true } = request
    const recipe = { run, scenario, folder: '.', speed, autostart: start, ...(seed === undefined ? {} : { seed }) }
    await this.openScenario(recipe)
    return run
  }

  /** Opens a kept run again: its scenario, its seed, and its commands at their virtual times. Resolves with its name. */
  async reopen(kept: StoredRun, request: ReopenRequest): Promise<string> {
    const { scenario, seed, replay } = recipeOf(kept)
    const run = this.#nameFor(scenario, request.name)
    const { speed = DEFAULT_SPEED, start = true } = request
    await this.openScenario({ run, scenario, folder: kept.folder, seed, speed, autostart: start, replay })
    return run
  }

  /** Ends a run and takes it away; what the store lacks of it is written. False when there is no such run. */
  async remove(run: string): Promise<boolean> {
    await this.#settle(run)
    const removed = await this.directory.remove(run)
    if (removed) this.#options.log?.('info', 'run taken away', { run })
    return removed
  }

  async close(): Promise<void> {
    await Promise.all([...this.#keepers.keys()].map((run) => this.#settle(run)))
    await this.directory.close()
  }

  /** Keeps the figures that a run has so far. */
  async #settle(run: string): Promise<void> {
    const keeper = this.#keepers.get(run)
    this.#keepers.delete(run)
    if (keeper === undefined) return
    const summary = keeper.open
      ? await soon(this.directory.get(run)?.ask({ kind: 'question', about: 'summary' }))
      : undefined
    await keeper.close(summary)
  }

  #nameFor(scenario: Scenario, wished: string | undefined): string {
    return wished ?? freeName(scenario.name, (name) => this.directory.get(name) !== undefined)
  }
}

const sentence = (cause: unknown): string => (cause instanceof Error ? cause.message : String(cause))

/** The answer, or undefined when it does not come in time: a run that is busy does not hold up the end of the server. */
function soon(answer: Promise<string> | undefined): Promise<string | undefined> {
  const late = new Promise<undefined>((resolve) => setTimeout(resolve, ANSWER_SECONDS * 1000, undefined).unref())
  return Promise.race([answer?.catch(() => undefined), late])
}
