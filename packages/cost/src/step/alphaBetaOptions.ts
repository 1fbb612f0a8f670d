import type { AlphaBetaNetwork } from '../deployment/alphaBetaStepCost.ts'

/** What the `alphaBeta` backend needs beside what all need. */
export interface AlphaBetaOptions {
  readonly network: AlphaBetaNetwork
  /** Whether the context of a prompt is in the cache already, so that a prompt costs one decode step at its full context. */
  readonly residentContext: boolean
}
