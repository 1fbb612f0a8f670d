import { SECONDS_PER_TICK } from '@windtunnel/metrics/ticks'
import { SilentObserver } from '@windtunnel/orchestrator/observer'

/** What happened within one stretch of virtual time. First tokens are counted by who reads the ledger. */
export interface Counts {
  arrived: number
  completed: number
  outputTokens: number
  gaps: number
  gapSeconds: number
}

export const noCounts = (): Counts => ({ arrived: 0, completed: 0, outputTokens: 0, gaps: 0, gapSeconds: 0 })

/** Counts arrivals, completions and tokens where they fall; `at` says which counts belong to a time. */
export abstract class TokenCounts<Stretch extends Counts> extends SilentObserver {
  abstract at(time: number): Stretch

  override arrived(_request: number, time: number): void {
    this.at(time).arrived += 1
  }

  override decodeRun(
    _replica: number,
    time: number,
    steps: number,
    sequences: number,
    first: number,
    growth: number,
  ): void {
    let at = time
    for (let step = 0; step < steps; step++) {
      const gap = (first + step * growth) * SECONDS_PER_TICK
      at += gap
      this.#tokens(at, sequences, gap)
    }
  }

  override tokenGap(_request: number, time: number, gapTicks: number): void {
    this.#tokens(time, 1, gapTicks * SECONDS_PER_TICK)
  }

  override ended(_request: number, time: number, ending: string): void {
    if (ending === 'completed') this.at(time).completed += 1
  }

  /** So many tokens at `time`, each after a gap. */
  #tokens(time: number, tokens: number, gapSeconds: number): void {
    const counts = this.at(time)
    counts.outputTokens += tokens
    counts.gaps += tokens
    counts.gapSeconds += gapSeconds * tokens
  }
}
