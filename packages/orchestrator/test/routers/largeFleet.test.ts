import { RandomStream, setSeconds } from '@windtunnel/des'
import { createPromptTree, emptyDraft, type RequestDraft } from '@windtunnel/workload'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindRouter, createSimulation, type Decision, routers } from '../../src/index.ts'
import { CacheHolders } from '../../src/kv/cacheHolders.ts'
import { LoadTree } from '../../src/routers/loadTree.ts'
import { randomScenario, type TestConfig } from '../reference/randomScenario.ts'
import { listed } from '../reference/randomTraffic.ts'
import { Recorder } from '../reference/recorder.ts'

const FOREVER = { seconds: Number.MAX_SAFE_INTEGER, ticks: 0 }

/** Several hundred requests with prefixes in three levels on tens of replicas with little memory, so that text is evicted too. */
function scenario(seed: number, router: string): TestConfig {
  const random = new RandomStream(seed, 'large fleet')
  const config = randomScenario(1 + random.integer(50))
  const replicas = 20 + random.integer(30)
  const tree = createPromptTree()
  const roots = Array.from({ length: 3 }, (_, i) => tree.child(0, i, 20 + random.integer(20)))
  const middle = roots.flatMap((root) =>
    Array.from({ length: 4 }, (_, i) => tree.child(root, i, 1 + random.integer(30))),
  )
  const leaves = middle.flatMap((node) =>
    Array.from({ length: 3 }, (_, i) => tree.child(node, i, 1 + random.integer(30))),
  )
  const nodes = [0, ...roots, ...middle, ...leaves]
  const drafts = Array.from({ length: 300 }, (_, tag): RequestDraft => {
    const prompt = nodes[random.integer(nodes.length)]!
    const draft = { ...emptyDraft(), tag, prompt, arrival: { seconds: 0, ticks: 0 } }
    draft.outputTokens = draft.maxTokens = 1 + random.integer(20)
    draft.inputTokens = Math.max(1, tree.depthOf(prompt) + random.integer(10))
    draft.session = random.integer(20)
    draft.tenant = random.integer(3)
    setSeconds(draft.arrival, 2 * random.uniform())
    return draft
  })
  const values = router === 'kv-aware' ? { requestTokens: [0, 8, 40][seed % 3]! } : {}
  return {
    ...config,
    pools: config.pools.map((pool) => ({ ...pool, replicas })),
    source: listed(drafts, new Map(), tree),
    router: bindRouter(routers.get(router)!, values),
  }
}

function run(config: TestConfig, listener?: (decision: Decision) => void): Recorder {
  const recorder = new Recorder()
  const simulation = createSimulation(config)
  simulation.observe(recorder)
  if (listener !== undefined) simulation.traceDecisions!(listener)
  simulation.runUntil(FOREVER, 400_000)
  return recorder
}

describe('a large fleet', () => {
  it.each([...routers.keys()])('%s chooses what a scan of all replicas chooses, traced or not', (name) => {
    for (let seed = 1; seed <= 25; seed++) {
      const decisions: Decision[] = []
      const scanned = run(scenario(seed, name), (decision) => decisions.push(decision))
      expect(run(scenario(seed, name)).facts, `scenario ${seed}`).toEqual(scanned.facts)
      expect(decisions.length).toBeGreaterThanOrEqual(300)
      for (const { replica, reason, scores } of decisions) {
        expect(reason).not.toBe('')
        if (name !== 'kv-aware') continue
        const [best] = [...scores].sort((a, b) => a[1] - b[1] || a[0] - b[0])
        expect(replica).toBe(best![0])
      }
    }
  })
})

describe('the tournament of loads', () => {
  it('gives candidates in order of load, then of number', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 40 }),
        fc.array(fc.tuple(fc.nat(39), fc.nat(5)), { maxLength: 80 }),
        (count, changes) => {
          const tree = new LoadTree(count)
          const loads = new Array<number>(count).fill(0)
          for (const [candidate, load] of changes) {
            tree.set(candidate % count, load)
            loads[candidate % count] = load
          }
          const order = loads.map((_, at) => at).sort((a, b) => loads[a]! - loads[b]! || a - b)
          expect(tree.least).toBe(order[0])
          expect(tree.total).toBe(loads.reduce((sum, load) => sum + load, 0))
          tree.restart()
          expect([...order.map(() => tree.next()), tree.next()]).toEqual([...order, -1])
        },
      ),
    )
  })
})

describe('the lists of holders', () => {
  it('know who was added and not removed', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.constantFrom(1, 2, 5000), fc.nat(6)), { maxLength: 100 }), (steps) => {
        const holders = new CacheHolders()
        const sets = new Map<number, Set<number>>()
        for (const [node, replica] of steps) {
          const set = sets.get(node) ?? new Set()
          sets.set(node, set)
          if (set.delete(replica)) holders.remove(node, replica)
          else {
            set.add(replica)
            holders.add(node, replica)
          }
          expect([...holders.of(node)].sort()).toEqual([...set].sort())
        }
      }),
    )
  })
})
