import { RandomStream } from '@windtunnel/des'
import {
  type PoolConfig,
  routers,
  type SimulationConfig,
  schedulers,
  type TransferConfig,
  type VllmOptions,
  vllm,
} from '../../src/index.ts'
import { pick, randomStepCost, randomTraffic } from './randomTraffic.ts'

/** A pool whose options the reference engine can read too. */
export interface TestPool extends PoolConfig {
  options: VllmOptions
}

export interface TestConfig extends SimulationConfig {
  pools: readonly TestPool[]
}

function randomPool(random: RandomStream, name: string, role: PoolConfig['role'], grid: boolean): TestPool {
  const blockSize = pick(random, [1, 4, 16])
  const maxSequences = 1 + random.integer(12)
  const frontEnd = random.uniform() < 0.3
  const reserve = pick(random, ['asNeeded', 'asNeeded', 'asNeeded', 'prompt', 'guarantee', 'maximum'] as const)
  const swap = {
    hostBlocks: 4 + random.integer(200),
    secondsPerBlock: grid ? random.integer(2) / 1024 : 3e-4 * random.uniform(),
  }
  const hostCache = {
    blocks: 1 + random.integer(pick(random, [5, 200])),
    secondsPerBlock: grid ? random.integer(2) / 1024 : 3e-4 * random.uniform(),
  }
  const options: VllmOptions = {
    maxBatchedTokens: maxSequences + random.integer(pick(random, [20, 60, 400])),
    maxSequences,
    blockSize,
    totalBlocks: Math.ceil((60 + random.integer(pick(random, [60, 200, 1500]))) / blockSize),
    maxModelLength: pick(random, [150, 400]),
    prefixCache: reserve !== 'maximum' && random.uniform() < 0.6,
    reserve,
    ...(random.uniform() < 0.6 ? { swap } : {}),
    ...(random.uniform() < 0.6 ? { hostCache } : {}),
    ...(random.uniform() < 0.2 ? { batchWait: { steps: 1 + random.integer(6), tokenShare: random.uniform() } } : {}),
    chunkedPrefill: random.uniform() < 0.85,
    longPrefillThreshold: random.uniform() < 0.2 ? 5 + random.integer(30) : 0,
    reserveFullPrompt: random.uniform() < 0.7,
    watermark: random.uniform() < 0.2 ? 0.1 : 0,
    asyncScheduling: random.uniform() < 0.6,
  }
  return {
    name,
    role,
    replicas: 1 + random.integer(random.uniform() < 0.5 ? 1 : 3),
    scheduler: schedulers.get(pick(random, ['fcfs', 'fcfs', 'fcfs', 'priority', 'shortest-first']))!,
    cost: randomStepCost(random, grid),
    attentionWindowTokens: random.uniform() < 0.5 ? 1 + random.integer(80) : undefined,
    frontEnd: {
      latencySeconds: frontEnd ? 2 / 1024 : 0,
      secondsPerPromptToken: frontEnd ? (grid ? 1 / 1024 : 1e-5) : 0,
    },
    startUpSeconds: 0,
    options,
    createEngine: (context) => vllm.create(context, options),
  }
}

/** One random scenario; the same seed gives the same one, with a fresh source each time. */
export function randomScenario(seed: number): TestConfig {
  const random = new RandomStream(seed, 'scenario')
  const grid = random.uniform() < 0.4
  const disaggregated = random.uniform() < 0.35
  const pools = disaggregated
    ? [randomPool(random, 'p', 'prefill', grid), randomPool(random, 'g', 'generate', grid)]
    : [randomPool(random, 'main', 'both', grid)]
  return {
    pools,
    source: randomTraffic(random, grid),
    router: routers.get(pick(random, [...routers.keys()]))!,
    transfer: disaggregated ? randomTransfer(random, grid) : undefined,
    seed,
  }
}

function randomTransfer(random: RandomStream, grid: boolean): TransferConfig {
  const fair = random.uniform() < 0.6
  const bandwidth = pick(random, [1e6, 1e8])
  return {
    bytesPerToken: 1000,
    ...(random.uniform() < 0.4 ? { kvBytes: (tokens: number) => 400 * tokens + 600 * Math.min(tokens, 20) } : {}),
    bytesPerSecond: bandwidth,
    latencySeconds: pick(random, [0, grid ? 1 / 1024 : 1e-4]),
    sharing: fair ? 'fair' : 'serial',
    ingressBytesPerSecond: random.uniform() < 0.5 ? bandwidth * pick(random, [0.3, 3]) : undefined,
    spineBytesPerSecond: random.uniform() < 0.5 ? bandwidth * pick(random, [0.7, 2]) : undefined,
    overlap: fair && random.uniform() < 0.6 ? 'layers' : 'whole',
    layers: 1 + random.integer(5),
    firstToken: random.uniform() < 0.4 ? 'generate' : 'prefill',
  }
}
