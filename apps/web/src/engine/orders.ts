import type { ClientMessage, ServerMessage, Speed } from '@windtunnel/protocol'
import type { DroppedTrace } from '../traces/dropped.ts'
import type { RunRecipe } from './recipe.ts'
import type { RunOutcome, RunWish } from './runToEnd.ts'

/** What the page asks of the engine in a worker. */
export type EngineOrder =
  /**
   * Play a scenario live; `scenario` is the text of a scenario file, YAML or JSON; `trace` the file that it
   * names; `log` the log of an earlier run (JSON) whose commands are applied again at their times.
   */
  | { kind: 'play'; scenario: string; trace?: DroppedTrace; seed?: number; speed?: Speed; log?: string }
  | { kind: 'command'; message: ClientMessage }
  /** Tell the seed and the commands of the run so far. */
  | { kind: 'log' }
  /** Run a scenario to its end as fast as it goes. */
  | { kind: 'run'; wish: RunWish }

/** What the worker answers. */
export type EngineNews =
  | { kind: 'message'; message: ServerMessage }
  /** The scenario cannot be played: the sentence says why. */
  | { kind: 'refused'; reason: string }
  | { kind: 'log'; log: RunRecipe['log'] }
  | { kind: 'finished'; outcome: RunOutcome }
