import type { RunSummary } from '@windtunnel/metrics'
import type { BuiltRun } from '@windtunnel/scenario/build/buildRun'
import { percent } from '../output/format.ts'

/** Routers that look at caches, or keep those together that share text. */
const cacheAware: ReadonlySet<string> = new Set(['kv-aware', 'prefix-affinity', 'session-affinity', 'consistent-hash'])

/** Sentences that explain the figures of a run to a person, where there is something to explain. */
export const notesOn = (run: BuiltRun, summary: RunSummary): string[] => [
  ...blindRouter(run, summary),
  ...refused(run, summary),
]

function blindRouter({ scenario }: BuiltRun, { kv }: RunSummary): string[] {
  const replicas = scenario.fleet
    .filter((pool) => pool.role !== 'generate')
    .reduce((sum, pool) => sum + pool.replicas, 0)
  if (replicas < 2 || kv.prefixHitRate === 0 || cacheAware.has(scenario.router.name)) return []
  return [
    `each of the ${replicas} replicas keeps a prefix cache of its own, and ${scenario.router.name} does not look at them: text that several replicas meet is computed on each, so ${percent(kv.prefixHitRate)} of prompt tokens were found, fewer than one replica with the same traffic would find; try --set router=kv-aware`,
  ]
}

function refused({ pools }: BuiltRun, { requests }: RunSummary): string[] {
  if (requests.rejected === 0) return []
  const longest = Math.min(...pools.map((parts) => parts.engine.maxModelLength))
  return [`${requests.rejected} requests were refused on arrival: longer than ${longest} tokens, or than the KV cache`]
}
