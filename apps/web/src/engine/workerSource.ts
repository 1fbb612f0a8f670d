import type { ClientMessage, Speed } from '@windtunnel/protocol'
import type { Source, SourceListener } from '../live/source.ts'
import type { DroppedTrace } from '../traces/dropped.ts'
import type { EngineNews, EngineOrder } from './orders.ts'
import type { RunRecipe } from './recipe.ts'
import { startEngine } from './startEngine.ts'

export interface PlayOptions {
  /** Text of a scenario file, YAML or JSON. */
  scenario: string
  /** The trace that it names. */
  trace?: DroppedTrace
  seed?: number
  speed?: Speed
  /** Log of an earlier run, JSON: its commands are applied again at their times. */
  log?: string
}

/** A live run on the engine in a worker of this page: no server is needed. */
export class WorkerSource implements Source {
  readonly place = 'browser'
  private readonly options: PlayOptions
  private worker: Worker | undefined
  private tellLog: ((log: RunRecipe['log']) => void) | undefined

  constructor(options: PlayOptions) {
    this.options = options
  }

  open(listener: SourceListener): void {
    const worker = startEngine()
    this.worker = worker
    worker.onmessage = ({ data: news }: MessageEvent<EngineNews>) => {
      if (news.kind === 'message') listener.message(news.message)
      else if (news.kind === 'log') this.tellLog?.(news.log)
      else if (news.kind === 'refused') listener.message({ type: 'error', code: 'refused', message: news.reason })
    }
    worker.onerror = (event) =>
      listener.message({ type: 'error', code: 'internal', message: `The engine stopped: ${event.message}` })
    listener.opened()
    this.order({ kind: 'play', ...this.options })
  }

  send(message: ClientMessage): void {
    this.order({ kind: 'command', message })
  }

  recipe(): Promise<RunRecipe> {
    const told = new Promise<RunRecipe['log']>((resolve) => {
      this.tellLog = resolve
    })
    this.order({ kind: 'log' })
    return told.then((log) => ({ scenario: this.options.scenario, log }))
  }

  retry(): void {}

  close(): void {
    this.worker?.terminate()
  }

  private order(order: EngineOrder): void {
    this.worker?.postMessage(order)
  }
}
