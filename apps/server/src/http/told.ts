import type { LiveRuns } from '../run/liveRuns.ts'
import type { RunStore } from '../store/runStore.ts'
import type { RunDirectory } from '../stream/runDirectory.ts'

/** What the HTTP API tells about, and what it may set going. */
export interface Told {
  readonly directory: RunDirectory
  readonly viewers: () => number
  /** Connections refused since the start. */
  readonly refused: () => number
  readonly runs: Pick<LiveRuns, 'openRequested' | 'reopen' | 'remove'>
  readonly store: RunStore | undefined
  /** Largest body of a request. */
  readonly bodyBytes: number
}
