import type { Quantity } from '../measured/measuredRun.ts'

/** What others published about runs of one kind: medians over runs of absolute errors of means, as fractions. */
export interface PublishedFamily {
  level: 'serving' | 'sweeps'
  /** Whose simulator, and how it was set up. */
  by: string
  errors: Partial<Record<Quantity, number>>
}

/** Best published figures, from the papers and repositories whose measurements are compared. */
export const publishedFamilies: readonly PublishedFamily[] = [
  {
    level: 'serving',
    by: 'BLIS, no profile of the deployment',
    errors: { e2e: 0.068, interToken: 0.065, ttft: 0.129 },
  },
  { level: 'serving', by: 'rooflines alone, at least', errors: { e2e: 0.33 } },
  {
    level: 'sweeps',
    by: 'best on concurrency sweeps, no profile of the deployment',
    errors: { tpot: 0.12, ttft: 0.31 },
  },
]
