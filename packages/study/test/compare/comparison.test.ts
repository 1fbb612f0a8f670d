import { describe, expect, it } from 'vitest'
import { type ComparedRun, compare, RunProbe } from '../../src/compare/index.ts'

/** A run of which only what the test looks at is filled in. */
function run(ttft: number, goodput: number, traffic: string, facts: string): ComparedRun {
  const none = { count: 0 }
  return {
    summary: {
      version: 1,
      scenario: 'x',
      seed: 1,
      cost: { backend: 'linear', extrapolated: false },
      warnings: [],
      simulatorSeconds: 0,
      factsHash: facts,
      requests: { arrived: 10, completed: 10, rejected: 0, failed: 0, cancelled: 0, timedOut: 0, unfinished: 0 },
      ttft: { count: 10, mean: ttft, p50: ttft, p99: ttft },
      itl: none,
      tpot: none,
      e2e: none,
      queue: none,
      throughput: { requestsPerSecond: 1, inputTokensPerSecond: 1, outputTokensPerSecond: 1 },
      goodput,
      kv: { peakUtilisation: 0.5, prefixHitRate: 0 },
      preemptions: 0,
      simulatedSeconds: 1,
    },
    probe: { trafficHash: traffic, imbalance: undefined },
  }
}

describe('compare', () => {
  const first = { name: 'a', runs: [run(1, 5, 't1', 'a1'), run(2, 5, 't2', 'a2')] }
  const second = { name: 'b', runs: [run(2, 9, 't1', 'b1'), run(3, 9, 't2', 'b2')] }

  it('says of each figure whether the variant is better, worse or not clearly different', () => {
    const { figures, warnings } = compare([first, second], [1, 2])
    const verdict = (name: string) => figures.find(({ figure }) => figure === name)!.variants[1]!.verdict
    expect(verdict('TTFT mean')).toBe('worse')
    expect(verdict('goodput')).toBe('better')
    expect(verdict('requests')).toBe('equal')
    expect(verdict('TPOT mean')).toBeNull()
    expect(warnings).toEqual([])
    // TTFT: mean 1.5 at first, 1 more for each seed.
    expect(figures[0]!.variants[1]).toMatchObject({
      difference: { mean: 1, halfWidth: 0 },
      relativeDifference: 1 / 1.5,
    })
  })

  it('warns when the traffic was not the same, and when nothing depends on the seed', () => {
    const other = { name: 'c', runs: [run(1, 5, 't1', 'same'), run(1, 5, 'else', 'same')] }
    const { warnings } = compare([first, other], [1, 2])
    expect(warnings[0]).toContain('c did not see the traffic of a (seed 2)')
    expect(warnings[1]).toContain('c gives the same run for every seed')
  })
})

describe('the probe of a run', () => {
  it('compares the busiest replica with the mean of its pool, in the worst pool', () => {
    const probe = new RunProbe([
      { name: 'p', replicas: 2 },
      { name: 'g', replicas: 2 },
    ])
    probe.stepped(0, 0, 1)
    probe.stepped(1, 0, 1)
    probe.stepped(2, 0, 3)
    probe.stepped(3, 2, 3)
    expect(probe.result().imbalance).toBe(1.5)
  })

  it('knows equal traffic by its times and lengths', () => {
    const hash = (output: number) => {
      const probe = new RunProbe([{ name: 'p', replicas: 1 }])
      probe.arrived(0, 0.5, 100, output, 0, 0)
      return probe.result().trafficHash
    }
    expect(hash(10)).toBe(hash(10))
    expect(hash(10)).not.toBe(hash(11))
  })
})
