import type { ClientMessage, ServerMessage } from '@windtunnel/protocol'
import type { RunRecipe } from '../engine/recipe.ts'

/** What a source of messages tells its session. */
export interface SourceListener {
  opened(): void
  message(message: ServerMessage): void
  /** The stream broke. `everOpened` is false when there never was a server. `retryInSeconds` is absent when it gives up. */
  lost(everOpened: boolean, retryInSeconds: number | undefined): void
}

/** Where a live run comes from: a server, or the engine in a worker of this page. */
export interface Source {
  readonly place: 'server' | 'browser'
  open(listener: SourceListener): void
  send(message: ClientMessage): void
  /** What gives the run so far again; rejects with a sentence where that is not known. */
  recipe(): Promise<RunRecipe>
  /** Tries again at once. */
  retry(): void
  close(): void
}
