import type { KeptRun } from '@windtunnel/protocol'

/** What is known of a run when it begins. */
export interface NewRun extends Omit<KeptRun, 'id' | 'endedAt'> {
  /** The checked scenario, JSON. */
  readonly scenarioDocument: string
  /** Where relative paths in the scenario start. */
  readonly folder: string
}

/** A run in the store with everything but its frames and events. */
export interface StoredRun extends KeptRun {
  readonly scenarioDocument: string
  readonly folder: string
  /** Seed and command log, JSON. */
  readonly log: string
  /** JSON; absent for a run that lives or whose server died. */
  readonly summary?: string
}

/** One line of a run's series or of its incidents: JSON text under a number that orders it. */
export interface StoredLine {
  readonly seq: number
  readonly text: string
}

/** What has come since the last write; written whole or not at all. */
export interface RunBatch {
  /** Frames without replicas. A frame that is there already is replaced. */
  readonly frames?: readonly StoredLine[]
  /** Frames that are there whose number is no multiple of this are forgotten first: a long run grows coarser, not larger. */
  readonly frameStep?: number
  readonly events?: readonly StoredLine[]
  /** Seed and command log, JSON. */
  readonly log?: string
}

/**
 * Runs that are kept, wherever that is. One contract suite holds for every store. Every promise rejects with the fault of
 * the database when it cannot be reached or written.
 */
export interface RunStore {
  /** Begins to keep a run; resolves with its id. Beyond the most that it keeps, the oldest runs go. */
  begin(run: NewRun): Promise<number>
  /** Nothing happens when there is no such run any more. */
  write(id: number, batch: RunBatch): Promise<void>
  end(id: number, endedAt: string, summary: string | undefined): Promise<void>
  /** The latest first. */
  list(): Promise<KeptRun[]>
  find(id: number): Promise<StoredRun | undefined>
  /** Oldest first, JSON texts. */
  frames(id: number): Promise<string[]>
  events(id: number): Promise<string[]>
  /** Whether there was such a run. */
  delete(id: number): Promise<boolean>
  close(): Promise<void>
}

/** Runs that a store keeps before it forgets the oldest. */
export const MOST_KEPT = 500

/** The log of a run at its beginning. */
export const emptyLog = (seed: number): string => JSON.stringify({ seed, commands: [] })
