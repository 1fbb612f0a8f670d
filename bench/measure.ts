import { cpus } from 'node:os'
import { SummaryObserver } from '@windtunnel/metrics'
import type { PoolConfig } from '@windtunnel/orchestrator'
import type { EngineLimits } from '@windtunnel/orchestrator/engines/engine'
import type { VllmOptions } from '@windtunnel/orchestrator/engines/vllm/vllmOptions'
import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { checkScenario } from '@windtunnel/scenario/schema/decode'
import { ReferenceFleet } from '../packages/orchestrator/test/reference/referenceFleet.ts'
import type { ReferenceKind } from '../packages/orchestrator/test/reference/referenceReplica.ts'
import { ReferenceVllm } from '../packages/orchestrator/test/reference/referenceVllm.ts'
import { ReferenceVllmRequest } from '../packages/orchestrator/test/reference/referenceVllmRequest.ts'
import type { BenchCase } from './cases/benchCase.ts'
import { simulate } from './simulate.ts'

/** What one run of one benchmark gives. */
export interface Measurement {
  name: string
  value: number
  unit: string
  requests: number
  simulatorSeconds: number
  peakRssMiB: number
  node: string
  cpu: string
}

/** Runs a benchmark once. */
export function measure(bench: BenchCase): Measurement {
  const { requests, outputTokens, simulatorSeconds, peakRssMiB } = simulate(bench.scenario, bench.name)
  const value =
    bench.unit === 's' ? simulatorSeconds : (bench.unit === 'tokens/s' ? outputTokens : requests) / simulatorSeconds
  return report(bench, value, requests, simulatorSeconds, peakRssMiB)
}

/** The naive reference knows one engine only. */
function asVllm(options: EngineLimits): VllmOptions {
  const isVllm = (found: EngineLimits): found is VllmOptions => 'maxBatchedTokens' in found
  if (isVllm(options)) return options
  throw new Error('the naive reference runs the vllm engine only: give every pool of the benchmark that one')
}

type NaivePool = PoolConfig & { readonly options: VllmOptions }

/** Without the checks of itself that it makes in tests after every event. */
const naiveVllm: ReferenceKind<ReferenceVllmRequest, NaivePool> = {
  request: (id, draft) => new ReferenceVllmRequest(id, draft),
  engine: (around) => Object.assign(new ReferenceVllm(around), { check: () => {} }),
}

/** Runs the naive reference engine on the same scenario. */
export function measureNaive(bench: BenchCase): Measurement {
  const run = buildRun(checkScenario(bench.scenario, `bench ${bench.name}`))
  const observer = new SummaryObserver()
  const pools = run.config.pools.map((pool, index) => ({ ...pool, options: asVllm(run.pools[index]!.engine) }))
  const fleet = new ReferenceFleet({ ...run.config, pools }, observer, naiveVllm)
  const started = performance.now()
  fleet.run(undefined, Number.POSITIVE_INFINITY)
  const simulatorSeconds = (performance.now() - started) / 1000
  const requests = fleet.requests.length
  return report(bench, requests / simulatorSeconds, requests, simulatorSeconds)
}

function report(
  bench: BenchCase,
  value: number,
  requests: number,
  simulatorSeconds: number,
  peakRssMiB = process.resourceUsage().maxRSS / 1024,
): Measurement {
  return {
    name: bench.name,
    value,
    unit: bench.unit,
    requests,
    simulatorSeconds,
    peakRssMiB,
    node: process.version,
    cpu: cpus()[0]?.model ?? 'unknown',
  }
}
