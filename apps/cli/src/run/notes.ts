import type { DetailedSummary } from '@windtunnel/metrics'
import type { BuiltRun } from '@windtunnel/scenario/build/buildRun'
import { number, percent } from '../output/format.ts'

/** Routers that look at caches, or keep those together that share text. */
const cacheAware: ReadonlySet<string> = new Set(['kv-aware', 'prefix-affinity', 'session-affinity', 'consistent-hash'])

/** Sentences that explain the figures of a run to a person, where there is something to explain. */
export const notesOn = (run: BuiltRun, summary: DetailedSummary): string[] => [
  ...ownPolicies(run),
  ...blindRouter(run, summary),
  ...refused(run, summary),
  ...nobodyCame(summary),
  ...unmeasured(summary),
]

/** Which policies of the user's own took the place of those that the scenario names. */
function ownPolicies({ scenario, config }: BuiltRun): string[] {
  const schedulers = new Set(config.pools.map((pool) => pool.scheduler.name))
  const named = new Set(scenario.fleet.map((pool) => pool.engine.scheduler))
  const own = [
    ...(config.router.name === scenario.router.name ? [] : [`the router is ${config.router.name}`]),
    ...[...schedulers].filter((name) => !named.has(name as never)).map((name) => `the scheduler is ${name}`),
  ]
  return own.length === 0 ? [] : [`${own.join(', ')}, in place of the one that the scenario names`]
}

function blindRouter({ scenario, config }: BuiltRun, { kv }: DetailedSummary): string[] {
  const replicas = scenario.fleet
    .filter((pool) => pool.role !== 'generate')
    .reduce((sum, pool) => sum + pool.replicas, 0)
  if (replicas < 2 || kv.prefixHitRate === 0 || cacheAware.has(scenario.router.name)) return []
  if (config.router.name !== scenario.router.name) return []
  return [
    `each of the ${replicas} replicas keeps a prefix cache of its own, and ${scenario.router.name} does not look at them: text that several replicas meet is computed on each, so ${percent(kv.prefixHitRate)} of prompt tokens were found, fewer than one replica with the same traffic would find; try --set router=kv-aware`,
  ]
}

function refused({ pools }: BuiltRun, { requests }: DetailedSummary): string[] {
  if (requests.rejected === 0) return []
  const longest = Math.min(...pools.map((parts) => parts.engine.maxModelLength))
  const more = pools.flatMap(({ pool }) => furtherLimit(pool.engine))
  const limits = [`longer than ${longest} tokens`, 'than the KV cache', ...new Set(more)]
  return [
    `${requests.rejected} requests were refused on arrival: ${limits.slice(0, -1).join(', ')} or ${limits.at(-1)}`,
  ]
}

/** What else an engine refuses a request for. */
function furtherLimit(engine: BuiltRun['scenario']['fleet'][number]['engine']): string[] {
  if ('chunkedPrefill' in engine && !engine.chunkedPrefill) return ['than a step, as chunkedPrefill is off']
  if ('prefillBacklog' in engine) {
    const backlog = engine.prefillBacklog > 0 ? [`behind a backlog of ${engine.prefillBacklog}`] : []
    return engine.maxPrefillLength === undefined
      ? backlog
      : [`a prompt of more than ${engine.maxPrefillLength}`, ...backlog]
  }
  return []
}

function nobodyCame({ requests, simulatedSeconds }: DetailedSummary): string[] {
  if (requests.arrived > 0) return []
  return [`no request arrived within ${number(simulatedSeconds)} s`]
}

function unmeasured({ details, requests, simulatedSeconds }: DetailedSummary): string[] {
  const { fromSeconds, arrived } = details.window
  if (fromSeconds === 0 || arrived > 0 || requests.arrived === 0) return []
  return [
    `nothing was measured: no request arrived after the warm-up of ${fromSeconds} s (the run lasted ${number(simulatedSeconds)} s)`,
  ]
}
