import { RandomStream } from '@windtunnel/des'
import {
  type Engine,
  type PoolConfig,
  routers,
  type SglangOptions,
  type SimulationConfig,
  schedulers,
  sglang,
} from '../../src/index.ts'
import { pick, randomStepCost, randomTraffic } from './randomTraffic.ts'

/** A pool whose options the reference engine can read too. */
export interface SglangTestPool extends PoolConfig {
  options: SglangOptions
  /** Engines of its replicas, once they are made. */
  engines: Engine[]
}

export interface SglangTestConfig extends SimulationConfig {
  pools: readonly SglangTestPool[]
}

function randomPool(random: RandomStream, name: string, role: PoolConfig['role'], grid: boolean): SglangTestPool {
  const blockSize = pick(random, [1, 1, 4, 16])
  const chunks = pick(random, [0, 1, 1, 1])
  const lpm = random.uniform() < 0.35
  const options: SglangOptions = {
    chunkedPrefillTokens: chunks * Math.ceil(pick(random, [16, 48, 200]) / blockSize) * blockSize,
    maxPrefillTokens: pick(random, [20, 100, 400]),
    mixedChunk: chunks > 0 && random.uniform() < 0.25,
    policy: lpm ? 'lpm' : 'fcfs',
    conservativeness: pick(random, [0.02, 0.1, 0.3, 1, 1.5]),
    overlap: random.uniform() < 0.6,
    receiveInterval: pick(random, [1, 1, 3, 10]),
    retractDecodeSteps: pick(random, [1, 4, 20]),
    keepRetractedText: random.uniform() < 0.5,
    reservedDecodeTokens: pick(random, [1, 8, 40]),
    maxSequences: 1 + random.integer(12),
    blockSize,
    totalBlocks: Math.ceil((60 + random.integer(pick(random, [60, 60, 200, 1000]))) / blockSize) + 2,
    maxModelLength: pick(random, [150, 400]),
    prefixCache: random.uniform() < 0.75,
  }
  const ranked = lpm ? ['fcfs'] : ['fcfs', 'fcfs', 'fcfs', 'priority', 'shortest-first']
  const engines: Engine[] = []
  return {
    name,
    role,
    replicas: 1 + random.integer(random.uniform() < 0.6 ? 1 : 3),
    scheduler: schedulers.get(pick(random, ranked))!,
    cost: randomStepCost(random, grid),
    frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
    startUpSeconds: 0,
    attentionWindowTokens: random.uniform() < 0.5 ? 1 + random.integer(80) : undefined,
    options,
    engines,
    createEngine: (context) => {
      const engine = sglang.create(context, options)
      engines.push(engine)
      return engine
    },
  }
}

/** One random scenario of SGLang replicas; the same seed gives the same one, with a fresh source each time. */
export function randomSglang(seed: number): SglangTestConfig {
  const random = new RandomStream(seed, 'sglang scenario')
  const grid = random.uniform() < 0.4
  const disaggregated = random.uniform() < 0.3
  const pools = disaggregated
    ? [randomPool(random, 'p', 'prefill', grid), randomPool(random, 'g', 'generate', grid)]
    : [randomPool(random, 'main', 'both', grid)]
  return {
    pools,
    source: randomTraffic(random, grid),
    router: routers.get(pick(random, [...routers.keys()]))!,
    transfer: disaggregated
      ? { bytesPerToken: 1000, bytesPerSecond: pick(random, [1e6, 1e8]), latencySeconds: grid ? 1 / 1024 : 1e-4 }
      : undefined,
    seed,
  }
}
