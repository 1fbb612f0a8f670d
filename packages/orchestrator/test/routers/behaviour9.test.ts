import { RandomStream, setSeconds } from '@windtunnel/des'
import { createPromptTree, emptyDraft, type RequestDraft } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import { createSimulation, routers, SilentObserver, schedulers, type VllmOptions, vllm } from '../../src/index.ts'
import { randomScenario } from '../reference/randomScenario.ts'
import { listed } from '../reference/randomTraffic.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

class Routes extends SilentObserver {
  readonly replicas: number[] = []
  override routed(_request: number, _time: number, replica: number): void {
    this.replicas.push(replica)
  }
}

/** Runs requests of `[seconds, prompt node]` on idle replicas whose every step takes 10 ms. */
function route(prompts: readonly (readonly [seconds: number, node: number])[], tree = createPromptTree()): number[] {
  const drafts = prompts.map(([at, prompt], tag): RequestDraft => {
    const draft = { ...emptyDraft(), tag, prompt, inputTokens: 160, arrival: { seconds: 0, ticks: 0 } }
    setSeconds(draft.arrival, at)
    return draft
  })
  const base = randomScenario(1)
  const pool = base.pools[0]!
  const options = { ...pool.options, maxBatchedTokens: 8192, maxSequences: 64, blockSize: 16, totalBlocks: 1000 }
  const cost = {
    ...pool.cost,
    seconds: () => 0.01,
    decodePiece: (_s: number, _c: number, into: Parameters<typeof pool.cost.decodePiece>[2]) =>
      Object.assign(into, { baseSeconds: 0.01, slopeSeconds: 0, windowSlopeSeconds: 0, validUntilContextTokens: 1e9 }),
  }
  const limits: VllmOptions = {
    ...options,
    maxModelLength: 4096,
    prefixCache: true,
    chunkedPrefill: true,
    longPrefillThreshold: 0,
    reserve: 'asNeeded',
    asyncScheduling: true,
  }
  const routes = new Routes()
  const simulation = createSimulation({
    ...base,
    transfer: undefined,
    pools: [
      {
        ...pool,
        role: 'both',
        replicas: 2,
        cost,
        scheduler: schedulers.get('fcfs')!,
        frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
        createEngine: (context) => vllm.create(context, limits),
      },
    ],
    source: listed(drafts, new Map(), tree),
    router: routers.get('kv-aware')!,
  })
  simulation.observe(routes)
  simulation.runUntil(FOREVER, 1e6)
  return routes.replicas
}

describe('two idle replicas behind a KV-aware router', () => {
  it('send A and B back to their own replicas, 100 times of 100', () => {
    const random = new RandomStream(9, 'behaviour')
    for (let i = 0; i < 100; i++) {
      const tree = createPromptTree()
      const [a, b] = [tree.child(0, 1, 160), tree.child(0, 2, 160)]
      // A and B come while the other one runs, so that each takes a replica of its own.
      const again = 1 + random.uniform()
      const later = again + 0.05 + random.uniform()
      const order = random.uniform() < 0.5 ? [a, b] : [b, a]
      const [firstA, firstB, third, fourth] = route(
        [
          [0, a],
          [0.001, b],
          [again, order[0]!],
          [later, order[1]!],
        ],
        tree,
      )
      expect([firstA, firstB]).toEqual([0, 1])
      expect([third, fourth]).toEqual(order[0] === a ? [0, 1] : [1, 0])
    }
  })

  it('do not show a block before the step that makes it has ended', () => {
    const second = (at: number): number[] => {
      const tree = createPromptTree()
      const a = tree.child(0, 1, 160)
      return route(
        [
          [0, a],
          [at, a],
        ],
        tree,
      )
    }
    // While the step runs, the first replica has a request and shows nothing; from its end on it has no request and 144 cached tokens.
    expect(second(0.0099)).toEqual([0, 1])
    expect(second(0.01)).toEqual([0, 0])
  })
})
