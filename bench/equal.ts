// npm run bench:equal: plays ten large scenarios with the fast engines and with the naive references of the tests, and compares
// what both tell of every request (facts hash) and every histogram, bit for bit. Takes some minutes; NAME plays one of them.
import { RunRecorder, type SummaryObserver } from '@windtunnel/metrics'
import type { Observer, PoolConfig, Simulation } from '@windtunnel/orchestrator'
import { FanOut } from '@windtunnel/orchestrator/fleet/fanOut'
import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { runBatch } from '@windtunnel/scenario/drivers/batch'
import { checkScenario } from '@windtunnel/scenario/schema/decode'
import { ReferenceFleet } from '../packages/orchestrator/test/reference/referenceFleet.ts'
import { ReferenceSglang } from '../packages/orchestrator/test/reference/referenceSglang.ts'
import { ReferenceSglangRequest } from '../packages/orchestrator/test/reference/referenceSglangRequest.ts'
import { ReferenceVllm } from '../packages/orchestrator/test/reference/referenceVllm.ts'
import { ReferenceVllmRequest } from '../packages/orchestrator/test/reference/referenceVllmRequest.ts'
import { largeCases } from './cases/largeCases.ts'

const HISTOGRAMS = ['ttft', 'itl', 'tpot', 'e2e', 'queue'] as const

/** A recorder whose observers hear what `start` hands them over to. */
function recorded(start: (observer: Observer) => void): RunRecorder {
  const observers: Observer[] = []
  const recorder = new RunRecorder()
  recorder.attach({ observe: (observer: Observer) => observers.push(observer) } as unknown as Simulation)
  start(new FanOut(observers))
  return recorder
}

function playFast(document: unknown): RunRecorder {
  const { simulation } = buildRun(checkScenario(document, 'large'))
  return recorded((observer) => {
    simulation.observe(observer)
    runBatch(simulation)
    simulation.view()
  })
}

const withoutChecks = { check: (): void => {} }

function playNaive(document: unknown): RunRecorder {
  const run = buildRun(checkScenario(document, 'large'))
  const pools = run.config.pools.map((pool, index) => ({
    ...pool,
    options: run.pools[index]!.engine,
    engines: [],
  })) as (PoolConfig & {
    options: never
    engines: []
  })[]
  const config = { ...run.config, pools }
  return recorded((observer) => {
    const fleet = run.scenario.fleet.some(({ engine }) => engine.name === 'sglang')
      ? new ReferenceFleet(config, observer, {
          request: (id, draft) => new ReferenceSglangRequest(id, draft),
          engine: (around) => Object.assign(new ReferenceSglang(around), withoutChecks),
        })
      : new ReferenceFleet(config, observer, {
          request: (id, draft) => new ReferenceVllmRequest(id, draft),
          engine: (around) => Object.assign(new ReferenceVllm(around), withoutChecks),
        })
    fleet.run(undefined, Number.POSITIVE_INFINITY)
  })
}

/** Every bucket, count, sum and extreme of a run's histograms. */
function histogramsOf(summary: SummaryObserver): string {
  const all = HISTOGRAMS.map((name) => {
    const buckets: number[] = []
    summary[name].forEachBucket((upper, count) => buckets.push(upper, count))
    const { count, sumSeconds, leastSeconds, largestSeconds } = summary[name]
    return { name, count, sumSeconds, leastSeconds, largestSeconds, buckets }
  })
  return JSON.stringify(all)
}

const wanted = process.argv.slice(2)
let failed = 0
for (const { name, scenario } of largeCases) {
  if (wanted.length > 0 && !wanted.includes(name)) continue
  const started = performance.now()
  const fast = playFast(scenario)
  const between = performance.now()
  const naive = playNaive(scenario)
  const facts = fast.hash.digest() === naive.hash.digest()
  const histograms = histogramsOf(fast.summary) === histogramsOf(naive.summary)
  const { arrived, completed } = fast.summary.totals()
  const { preemptions, cachedTokens } = fast.summary.counts
  if (!facts || !histograms) failed += 1
  const seconds = [between - started, performance.now() - between].map((ms) => (ms / 1000).toFixed(1))
  process.stdout.write(
    `${facts && histograms ? 'equal    ' : 'DIFFERENT'} ${name.padEnd(18)} ${fast.hash.digest()} facts ${facts ? 'equal' : 'differ'}, histograms ${histograms ? 'equal' : 'differ'}; ${completed} of ${arrived} completed, ${preemptions} preemptions, ${cachedTokens} cached tokens; ${seconds[0]} s fast, ${seconds[1]} s naive\n`,
  )
}
process.exitCode = failed > 0 ? 1 : 0
