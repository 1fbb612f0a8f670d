import type { ClientMessage, RunState, RunSummary, ScenarioFacts } from '@windtunnel/protocol'

/**
 * What a run tells the server. Messages for viewers are text already, so that each is serialised once, in the thread of
 * the run, whatever the number of viewers.
 */
export type RunNews =
  /** The run begins, at first or after a reset: what came before is no longer part of it. */
  | { kind: 'begun'; facts: ScenarioFacts }
  | {
      kind: 'frame'
      seq: number
      /** Virtual seconds. */
      time: number
      /** Wall seconds for which the run has been playing. */
      wall: number
      state: RunState
      text: string
      /** Without replicas, for the history; every other frame has it. */
      thin?: string
    }
  /** `command`: the command that it tells of, as it is in the log, JSON. */
  | { kind: 'event'; text: string; command?: string }
  | { kind: 'sample'; text: string }
  | { kind: 'ended'; text: string; summary: RunSummary }
  /** A reset: the run so far is over, with the figures that it had. */
  | { kind: 'left'; summary: RunSummary }
  /** The thread of the run died: nothing more comes from it. */
  | { kind: 'broken'; message: string }
  /** Answer to a command or a question. */
  | { kind: 'reply'; token: number; text: string }

export type Question = 'summary' | 'log' | 'metrics'

/** What the server tells a run. */
export type RunOrder =
  | { kind: 'command'; token: number; message: ClientMessage }
  /** Asks for a document: the summary so far, the seed and the command log (both JSON), or metrics in Prometheus text. */
  | { kind: 'question'; token: number; about: Question }

/** A run as the server sees it, wherever it lives. */
export interface RunHost {
  send(order: RunOrder): void
  close(): Promise<void>
  /** Processor time that the run's own thread has used; absent where it has none of its own or cannot tell. */
  cpuSeconds?(): Promise<number>
}
