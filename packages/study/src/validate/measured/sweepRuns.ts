import { UNKNOWN_VERSION, versionOn } from './engineVersion.ts'
import { type Document, isDocument, list, needNumber, needText, numberAt, section, textAt } from './fields.ts'
import { inferenceXArguments, type Load } from './inferenceX.ts'
import type { Deployment, MeasuredPool, MeasuredRun, RunFigures } from './measuredRun.ts'
import { MeasuredRunError } from './measuredRunError.ts'
import { hasNarrowCache, sweepFormats } from './sweepFormats.ts'
import { sweepLayout } from './sweepLayout.ts'
import { unscoredSweep } from './unscoredSweep.ts'

/** Requests of a sweep point for each user: the tool sends ten, after a warm-up. */
const REQUESTS_PER_USER = 10

/** Share by which requests of one length come apart, as if their outputs were of so unlike lengths. */
const DRIFT = 0.05

/** Points of more users that are not scored are simulated with fewer requests, to save time. */
const MANY_USERS = 256
const FEWER_REQUESTS = 3

/** Accelerators of one server; a rack of the NVL72 kind is one domain. */
const serverSize = (system: string): number => (/^gb/.test(system) ? 72 : 8)

/** What is known of a sweep beside its own line. */
export interface KnownOfSweep {
  /** Whether its source wants it used: `yes`, or why not. */
  use?: string | undefined
  family?: string | undefined
  /** Why it is not scored, as its neighbours show. */
  unscored?: string | undefined
}

/**
 * The points of one line of a sweep file: a configuration, and figures at several numbers of users. Throws
 * MeasuredRunError where the configuration cannot be understood.
 */
export function sweepRuns(sweep: Document, known: KnownOfSweep = {}): MeasuredRun[] {
  const id = needText(sweep, 'id', 'sweep')
  const config = section(sweep, 'config')
  const assumptions: string[] = []
  const kind = benchmarkOf(sweep, known.family)
  const deployment = deploymentOf(config, { id, kind, day: textAt(sweep, 'date')?.slice(0, 10) }, assumptions)
  const inputTokens = needNumber(config, 'isl', id)
  const outputTokens = needNumber(config, 'osl', id)
  const spread = kind === 'aic-inferencex'
  // Requests of one length go round in step. Only under engines that mix phases in a step do they drift apart.
  const keepsStep = deployment.engine.name === 'sglang'
  const unscored = unscoredSweep(sweep, config, known.use) ?? known.unscored
  return distinctPoints(sweep, id).map((point): MeasuredRun => {
    const users = needNumber(point, 'concurrency', id)
    return {
      id,
      level: 'sweeps',
      family: kind,
      workload: `${inputTokens} in, ${outputTokens} out`,
      load: `${users} users`,
      deployment: withArguments(deployment, { inputTokens, outputTokens, users }, kind),
      traffic: {
        kind: 'closedLoop',
        users,
        requests: users * (unscored !== undefined && users > MANY_USERS ? FEWER_REQUESTS : REQUESTS_PER_USER),
        inputTokens,
        outputTokens,
        leastShare: spread ? 0.8 : 1,
        outputJitter: spread || keepsStep ? 0 : DRIFT,
      },
      measured: pointFigures(point),
      interToken: 'perRequest',
      coldRequests: 0,
      ...(unscored === undefined ? {} : { unscored }),
      assumptions,
    }
  })
}

/** Tables of other origin that hold points of InferenceX, to the last digit. */
const HOLDS_INFERENCEX = /source_file=[^/;]*gap-analysis\.csv/

/** The benchmark that a sweep is of: it decides how requests were sent and with which arguments servers ran. */
function benchmarkOf(sweep: Document, family: string | undefined): string {
  if (HOLDS_INFERENCEX.test(textAt(sweep, 'provenance') ?? '')) return 'aic-inferencex'
  return textAt(sweep, 'family') ?? family ?? 'sweep'
}

function pointFigures(point: Document): RunFigures {
  const figures: RunFigures = {}
  const ttft = numberAt(point, 'ttft_ms')
  const tpot = numberAt(point, 'tpot_ms')
  if (ttft !== undefined) figures.ttft = { mean: ttft / 1000 }
  if (tpot !== undefined) figures.tpot = { mean: tpot / 1000 }
  return figures
}

/** Points as they are, one for each number of users: repeated ones say the same. */
function distinctPoints(sweep: Document, where: string): Document[] {
  const points = list(sweep, 'points').filter(isDocument)
  if (points.length === 0) throw new MeasuredRunError(where, 'has no points')
  const seen = new Set<string>()
  return points.filter((point) => {
    const key = JSON.stringify([point['concurrency'], point['ttft_ms'], point['tpot_ms']])
    return !seen.has(key) && seen.add(key)
  })
}

/** The arguments of the server at one point, where the benchmark's launch scripts are known. */
function withArguments(deployment: Deployment, load: Load, kind: string): Deployment {
  if (kind !== 'aic-inferencex') return deployment
  const { model, accelerator, engine, pool } = deployment
  const launch = {
    engine: engine.name,
    version: engine.version === UNKNOWN_VERSION ? undefined : engine.version,
    model,
    accelerator,
    precision: deployment.expertPrecision ?? deployment.precision,
    layout: pool.layout,
  }
  const { engine: stated, keyValuePrecision } = inferenceXArguments(launch, load)
  const { keyValuePrecision: _, ...rest } = deployment
  const narrow = keyValuePrecision !== undefined && deployment.keyValuePrecision !== undefined
  return { ...rest, engine: { ...engine, ...stated }, ...(narrow ? { keyValuePrecision } : {}) }
}

function deploymentOf(
  config: Document,
  { id, kind, day }: { id: string; kind: string; day: string | undefined },
  assumptions: string[],
): Deployment {
  const backend = needText(config, 'backend', id)
  const version = textAt(config, 'backend_version')
  const known = version !== undefined && /^\d/.test(version)
  if (!known) assumptions.push(`version of the engine not stated: overheads of ${day ?? 'the newest one known'}`)
  assumptions.push('arguments of the engine at its defaults')
  const system = needText(config, 'system', id)
  const formats = sweepFormats(config)
  return {
    model: needText(config, 'model_path', id),
    accelerator: system,
    ...formats,
    ...poolsOf(config, id, kind, assumptions),
    engine: {
      name: backend,
      version: known ? version : versionOn(backend, day),
      prefixCache: false,
      maxBatchedTokens: 8192,
    },
    greedy: true,
    clock: 'client',
    ...(kind === 'aic-inferencex' && hasNarrowCache(config, system, formats) ? { keyValuePrecision: 'fp8' } : {}),
  }
}

function poolsOf(config: Document, id: string, kind: string, assumptions: string[]) {
  const server = serverSize(needText(config, 'system', id))
  if (textAt(config, 'mode') !== 'disagg') {
    return { pool: { replicas: 1, layout: sweepLayout(config, '', { id, kind, server }, assumptions) } }
  }
  const pool = (side: 'prefill_' | 'decode_'): MeasuredPool => ({
    replicas: numberAt(config, `${side}num_workers`) ?? 1,
    layout: sweepLayout(config, side, { id, kind, server }, assumptions),
  })
  assumptions.push('link between prefill and generate replicas of 50 GB/s')
  return { pool: pool('decode_'), prefillPool: pool('prefill_') }
}
