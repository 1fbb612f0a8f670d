import type { Frame, ScenarioFacts } from '@windtunnel/protocol'
import { describe, expect, it } from 'vitest'
import { breaches, standing } from '../src/live/objectives.ts'

const frame = (part: Partial<Frame>): Frame => ({
  type: 'frame',
  run: 'demo',
  seq: 0,
  time: 1,
  wall: 1,
  state: 'running',
  speed: 1,
  achievedSpeed: 1,
  window: 10,
  requests: { arrived: 1, completed: 1, rejected: 0, failed: 0, cancelled: 0, timedOut: 0, unfinished: 0 },
  arrivalRate: 1,
  requestsPerSecond: 1,
  inputTokensPerSecond: 1,
  outputTokensPerSecond: 1,
  goodput: 1,
  waiting: 12,
  transferring: 0,
  running: 4,
  batch: 4,
  kvUse: 0.5,
  preemptionsPerSecond: 0,
  router: 'round-robin',
  scheduler: 'fcfs',
  objectives: [],
  classes: [],
  replicas: [
    {
      replica: 1,
      name: 'chat-1',
      pool: 'chat',
      role: 'both',
      state: 'up',
      running: 4,
      waiting: 12,
      transferring: 0,
      kvUse: 0.5,
      contextTokens: 400,
    },
  ],
  links: [],
  step: { replica: 1, seconds: 0.02, weights: 0.012, kv: 0.005, compute: 0.002, collectives: 0, host: 0.001 },
  bottleneck: 'Decode is bound.',
  ...part,
})

const facts = (objectives: ScenarioFacts['objectives']): ScenarioFacts => ({
  name: 'demo',
  seed: 1,
  model: 'llama-3.1-8b',
  pools: [],
  objectives,
  backend: 'calibrated',
  rateSteerable: true,
  router: 'round-robin',
  routers: [],
  schedulers: [],
  speeds: [1],
  sampledOneIn: 1,
  warnings: [],
})

describe('objectives', () => {
  it('are breached above the promise, and say nothing without a promise or a figure', () => {
    expect(standing(0.6, 0.5)).toBe('breach')
    expect(standing(0.5, 0.5)).toBe('met')
    expect(standing(0.6, undefined)).toBe('none')
    expect(standing(undefined, 0.5)).toBe('none')
  })

  it('of several classes are broken by class, not by a percentile over all', () => {
    const objectives = [
      { serviceClass: 'chat', ttft: 1 },
      { serviceClass: 'bulk', ttft: 30 },
    ]
    const met = (serviceClass: string, limit: number, share: number) =>
      ({ serviceClass, metric: 'ttft', limit, met: share }) as const
    const slow = { ttft: { p50: 5, p90: 10, p99: 20 } }
    expect(
      breaches(facts(objectives), frame({ ...slow, objectives: [met('chat', 1, 1), met('bulk', 30, 0.995)] })),
    ).toEqual([])
    expect(
      breaches(facts(objectives), frame({ ...slow, objectives: [met('chat', 1, 0.98), met('bulk', 30, 1)] })),
    ).toEqual([{ serviceClass: 'chat', metric: 'ttft', limit: 1 }])
    expect(breaches(facts([{ serviceClass: 'default', ttft: 15 }]), frame(slow))).toEqual([
      { metric: 'ttft', limit: 15 },
    ])
  })
})
