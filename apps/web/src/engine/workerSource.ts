import type { ClientMessage, Speed } from '@windtunnel/protocol'
import type { Source, SourceListener } from '../live/source.ts'
import type { DroppedTrace } from '../traces/dropped.ts'
import type { EngineNews, EngineOrder } from './orders.ts'
import { startEngine } from './startEngine.ts'

export interface PlayOptions {
  /** Text of a scenario file, YAML or JSON. */
  scenario: string
  /** The trace that it names. */
  trace?: DroppedTrace
  seed?: number
  speed?: Speed
}

/** A live run on the engine in a worker of this page: no server is needed. */
export class WorkerSource implements Source {
  readonly place = 'browser'
  private readonly options: PlayOptions
  private worker: Worker | undefined

  constructor(options: PlayOptions) {
    this.options = options
  }

  open(listener: SourceListener): void {
    const worker = startEngine()
    this.worker = worker
    worker.onmessage = ({ data: news }: MessageEvent<EngineNews>) => {
      if (news.kind === 'message') listener.message(news.message)
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

  retry(): void {}

  close(): void {
    this.worker?.terminate()
  }

  private order(order: EngineOrder): void {
    this.worker?.postMessage(order)
  }
}
