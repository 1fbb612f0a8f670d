import type { Frame } from '@windtunnel/protocol'
import { describe, expect, it } from 'vitest'
import { bottleneckOf } from '../../src/run/bottleneck.ts'
import { Incidents } from '../../src/run/incidents.ts'

const even = (seconds: number) => ({ p50: seconds, p90: seconds, p99: seconds })
const replica = (number: number, pool: string, waiting: number): Frame['replicas'][number] => ({
  replica: number,
  name: `${pool}-${number + 1}`,
  pool,
  role: 'both',
  state: 'up',
  running: 40,
  waiting,
  transferring: 0,
  kvUse: 0.5,
  contextTokens: 80_000,
})

/** A busy fleet that keeps its promises: TTFT 100 ms of 500, TPOT 20 ms of 30. */
const calm: Frame = {
  type: 'frame',
  run: 'demo',
  seq: 0,
  time: 10,
  wall: 1,
  state: 'running',
  speed: 10,
  achievedSpeed: 10,
  window: 10,
  requests: { arrived: 9, completed: 9, rejected: 0, failed: 0, cancelled: 0, timedOut: 0, unfinished: 0 },
  arrivalRate: 8,
  requestsPerSecond: 8,
  inputTokensPerSecond: 1000,
  outputTokensPerSecond: 2000,
  goodput: 8,
  ttft: even(0.1),
  queue: even(0.02),
  tpot: even(0.02),
  itl: even(0.02),
  waiting: 12,
  transferring: 0,
  running: 80,
  batch: 40,
  kvUse: 0.5,
  preemptionsPerSecond: 0,
  router: 'round-robin',
  scheduler: 'fcfs',
  objectives: [
    { serviceClass: 'chat', metric: 'ttft', limit: 0.5, met: 1 },
    { serviceClass: 'chat', metric: 'tpot', limit: 0.03, met: 1 },
    { serviceClass: 'chat', metric: 'all', met: 1 },
  ],
  classes: [],
  replicas: [replica(0, 'small', 2), replica(1, 'large', 10)],
  links: [],
  step: { replica: 1, seconds: 0.02, weights: 0.012, kv: 0.005, compute: 0.001, collectives: 0, host: 0.002 },
}

const breached = (frame: Partial<Frame>): string | undefined => {
  const incidents = new Incidents([{ serviceClass: 'chat', ttft: 0.5, tpot: 0.03 }])
  incidents.watch({ ...calm, ...frame, time: 10 })
  return incidents.watch({ ...calm, ...frame, time: 12 })[0]?.text
}

describe('what bounds a fleet', () => {
  it('is the decode step while its promises are kept', () => {
    expect(bottleneckOf(calm)).toBe('Decode is bound by reading weights (60 % of a step): batch 40 at 2.0k context.')
    expect(breached({})).toBeUndefined()
  })

  it('is the queue of the pool with most waiting when first tokens are late for it, and not decode', () => {
    const late = { ttft: even(1), queue: even(0.8) }
    expect(bottleneckOf({ ...calm, ...late })).toBe(
      'Requests wait: 80 % of TTFT is queue. 12 wait for large; another replica there would help.',
    )
    expect(breached(late)).toBe('TTFT p99 above 500 ms: 80 % of it is queue')
  })

  it('is the drain where those who wait do so in replicas that drain', () => {
    const drained = { ...replica(0, 'small', 36_000), state: 'draining' as const }
    const late = { ttft: even(1), queue: even(0.8), waiting: 36_074, replicas: [drained, replica(1, 'small', 74)] }
    expect(bottleneckOf({ ...calm, ...late })).toBe(
      'Requests wait: 80 % of TTFT is queue. 36,074 wait for small; most of them in replicas that drain, where no other replica takes them over.',
    )
  })

  it('counts those that the front end still holds, whom no engine knows of', () => {
    const late = { ttft: even(1), queue: even(0.8), requests: { ...calm.requests, unfinished: 100 } }
    // 100 inside, 12 wait in engines, 80 run: 8.
    expect(bottleneckOf({ ...calm, ...late })).toMatch(
      /12 wait for large; .* 8 more have not come through the front end\.$/,
    )
    expect(bottleneckOf({ ...calm, ...late, waiting: 19 })).not.toMatch(/front end/)
  })

  it('is prefill when first tokens are late without a queue', () => {
    const late = { ttft: even(1), queue: even(0.1) }
    expect(bottleneckOf({ ...calm, ...late })).toBe(
      'Prompts take long to compute: 90 % of TTFT is prefill, 10 % queue.',
    )
    expect(breached(late)).toBe('TTFT p99 above 500 ms: 90 % of it is prefill')
  })

  it('is decode when tokens come too slowly, and both when both promises are broken', () => {
    const slow = { tpot: even(0.04) }
    expect(bottleneckOf({ ...calm, ...slow, waiting: 100 })).toMatch(/^Decode is bound by reading weights/)
    expect(breached(slow)).toBe('TPOT p99 above 30 ms: 60 % of a decode step is reading weights')
    expect(bottleneckOf({ ...calm, ...slow, ttft: even(1), queue: even(0.8) })).toMatch(
      /^Requests wait.*Decode is bound/,
    )
  })

  it('is the KV cache when requests are preempted for it, whatever else is late', () => {
    const full = { preemptionsPerSecond: 3, kvUse: 0.97, ttft: even(1), queue: even(0.8) }
    expect(bottleneckOf({ ...calm, ...full })).toMatch(/^KV cache is full \(97 %\)/)
  })
})
