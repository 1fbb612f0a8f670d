import type { Decision } from '@windtunnel/orchestrator'

/**
 * Takes down router decisions as lines of JSON, in order: request, time in virtual seconds, side of the fleet, replica
 * chosen, reason, and the scores compared (lower is better) as pairs of replica and score.
 */
export class DecisionLines {
  readonly #pieces: string[] = []
  #lines: string[] = []

  readonly take = (decision: Decision): void => {
    this.#lines.push(JSON.stringify(decision))
    if (this.#lines.length >= 4096) this.#close()
  }

  /** The file in pieces. */
  pieces(): readonly string[] {
    this.#close()
    return this.#pieces
  }

  #close(): void {
    if (this.#lines.length > 0) this.#pieces.push(`${this.#lines.join('\n')}\n`)
    this.#lines = []
  }
}
