import { toSeconds } from '@windtunnel/des'
import type { PreparedRun } from './preparedRun.ts'

/** Virtual seconds of traffic that are known ahead at least; more at high speed. */
const LEAST_AHEAD_SECONDS = 60
const WALL_SECONDS_AHEAD = 5

/** Reads more traffic when a run comes near the end of what is known. */
export class TrafficReader {
  #reading = false
  readonly #failed: (prepared: PreparedRun, cause: unknown) => void

  /** `failed` is told when the traffic cannot be read on. */
  constructor(failed: (prepared: PreparedRun, cause: unknown) => void) {
    this.#failed = failed
  }

  /** `speed`: virtual seconds per wall second of late. */
  readOn(prepared: PreparedRun, speed: number): void {
    const known = prepared.knownUntil?.()
    if (known === undefined || prepared.fill === undefined || this.#reading) return
    const ahead = toSeconds(known) - toSeconds(prepared.simulation.now())
    if (ahead > Math.max(LEAST_AHEAD_SECONDS, WALL_SECONDS_AHEAD * speed)) return
    this.#reading = true
    prepared
      .fill()
      .catch((cause: unknown) => this.#failed(prepared, cause))
      .finally(() => {
        this.#reading = false
      })
  }
}
