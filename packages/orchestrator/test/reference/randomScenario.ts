import type { StepCost } from '@windtunnel/cost'
import { compareTime, copyTime, RandomStream, setSeconds } from '@windtunnel/des'
import { createPromptTree, emptyDraft, type RequestDraft, type RequestSource } from '@windtunnel/workload'
import {
  type PoolConfig,
  routers,
  type SimulationConfig,
  schedulers,
  type TransferConfig,
  type VllmOptions,
  vllm,
} from '../../src/index.ts'

/** A source that gives a fixed list of requests, in order of arrival, and some more when earlier ones end. */
export function listSource(
  drafts: RequestDraft[],
  followUps: Map<number, RequestDraft>,
  tree: RequestSource['tree'],
): RequestSource {
  const pending = [...drafts].sort((a, b) => compareTime(a.arrival, b.arrival))
  return {
    tree,
    peek(into) {
      if (pending.length === 0) return false
      copyTime(into, pending[0]!.arrival)
      return true
    },
    take(into) {
      const draft = pending.shift()!
      Object.assign(into, { ...draft, arrival: into.arrival })
      copyTime(into.arrival, draft.arrival)
    },
    ended(tag, _ending, time) {
      const next = followUps.get(tag)
      if (next === undefined) return
      followUps.delete(tag)
      const at = { seconds: time.seconds, ticks: time.ticks }
      const after = pending.findIndex((one) => compareTime(one.arrival, at) > 0)
      pending.splice(after < 0 ? pending.length : after, 0, { ...next, arrival: at })
    },
  }
}

/** A pool whose options the reference engine can read too. */
export interface TestPool extends PoolConfig {
  options: VllmOptions
}

export interface TestConfig extends SimulationConfig {
  pools: readonly TestPool[]
}

/** Step times on a grid of 2^-10 s when `grid`, so that arrivals meet step ends exactly; else awkward fractions. */
function randomCost(random: RandomStream, grid: boolean): StepCost {
  const base = grid ? (1 + random.integer(4)) / 1024 : 0.002 + 0.01 * random.uniform()
  const slope = grid ? 0 : random.uniform() < 0.2 ? 0 : 1e-6 * random.uniform()
  const windowSlope = grid || random.uniform() < 0.5 ? 0 : 1e-6 * random.uniform()
  const perSequence = grid ? 0 : 1e-5 * random.uniform()
  const perPrompt = grid ? random.integer(2) / 1024 : 1e-5 * random.uniform()
  const knee = random.uniform() < 0.3 ? 50 + random.integer(400) : Number.POSITIVE_INFINITY
  const above = (context: number): number => (context > knee ? (grid ? 1 / 1024 : 1e-3) : 0)
  return {
    backend: 'random',
    extrapolations: [],
    seconds(batch) {
      let prompt = 0
      for (let i = 0; i < batch.chunkCount; i++) prompt += batch.chunkTokens[i]! + batch.chunkContext[i]! / 4
      return (
        base +
        above(batch.decodeContextTokens) +
        perPrompt * (grid ? batch.chunkCount : prompt) +
        perSequence * batch.decodeSequences +
        slope * batch.decodeContextTokens +
        windowSlope * batch.decodeWindowTokens
      )
    },
    decodePiece(sequences, context, into) {
      into.baseSeconds = base + above(context) + perSequence * sequences
      into.slopeSeconds = slope
      into.windowSlopeSeconds = windowSlope
      into.validUntilContextTokens = context > knee ? Number.POSITIVE_INFINITY : knee
      return into
    },
    breakdown: () => ({ weights: 0, kv: 0, compute: base, collectives: 0, host: 0 }),
  }
}

const pick = <Value>(random: RandomStream, values: readonly Value[]): Value => values[random.integer(values.length)]!

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
    cost: randomCost(random, grid),
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
  const tree = createPromptTree()
  const nodes = [0]
  for (let i = 0; i < 6; i++) {
    const parent = pick(random, nodes)
    nodes.push(tree.child(parent, i, 1 + random.integer(40)))
  }
  const drafts: RequestDraft[] = []
  const followUps = new Map<number, RequestDraft>()
  const span = pick(random, [0.02, 0.3, 2])
  const count = 2 + random.integer(40)
  for (let tag = 0; tag < count; tag++) {
    const draft = randomRequest(random, tag, tree, nodes)
    const at = random.uniform() * span
    setSeconds(draft.arrival, grid ? Math.round(at * 1024) / 1024 : at)
    drafts.push(draft)
    if (random.uniform() < 0.3) {
      const next = randomRequest(random, tag + 1000, tree, draft.output === 0 ? nodes : [draft.output])
      followUps.set(tag, next)
    }
  }
  return {
    pools,
    source: listSource(drafts, followUps, tree),
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

function randomRequest(
  random: RandomStream,
  tag: number,
  tree: RequestSource['tree'],
  nodes: readonly number[],
): RequestDraft {
  const draft = emptyDraft()
  draft.tag = tag
  draft.outputTokens = 1 + random.integer(pick(random, [1, 8, 60]))
  draft.maxTokens = random.uniform() < 0.4 ? draft.outputTokens + 1 + random.integer(10) : draft.outputTokens
  draft.prompt = pick(random, nodes)
  const own = pick(random, [0, 3, 40])
  draft.inputTokens = Math.max(1, tree.depthOf(draft.prompt) + (own > 0 ? random.integer(own) : 0))
  if (draft.prompt !== 0 && draft.inputTokens === tree.depthOf(draft.prompt)) {
    draft.output = tree.fresh(draft.prompt, draft.outputTokens)
  }
  draft.session = 1 + random.integer(5)
  draft.priority = random.integer(3)
  if (random.uniform() < 0.15) draft.cancelAfterSeconds = pick(random, [1 / 1024, 5 / 1024, 0.1 * random.uniform()])
  if (random.uniform() < 0.1) draft.timeoutSeconds = pick(random, [8 / 1024, 0.3 * random.uniform()])
  return draft
}
