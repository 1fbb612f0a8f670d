/** One choice of a router, told to whoever asked for a trace. */
export interface Decision {
  readonly request: number
  /** Virtual seconds. */
  readonly time: number
  /** Which side of a disaggregated fleet was chosen, or both. */
  readonly role: 'both' | 'prefill' | 'generate'
  /** The replica chosen. */
  readonly replica: number
  readonly reason: string
  /** What the router compared, lower is better: replica and score; empty where it compared nothing. */
  readonly scores: readonly (readonly [replica: number, score: number])[]
}

export type DecisionListener = (decision: Decision) => void

/** Takes down what a router says of one choice. */
export class DecisionTrace {
  reason = ''
  readonly scores: (readonly [candidate: number, score: number])[] = []

  scored(candidate: number, score: number): void {
    this.scores.push([candidate, score])
  }

  /** Why the choice fell; the last word counts. */
  because(reason: string): void {
    this.reason = reason
  }
}
