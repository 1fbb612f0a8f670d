import { Result } from 'effect'
import { describe, expect, it } from 'vitest'
import { type Frame, readClientMessage, readServerMessage, writeMessage } from '../src/index.ts'

const frame: Frame = {
  type: 'frame',
  run: 'demo',
  seq: 3,
  time: 1.5,
  wall: 0.3,
  state: 'running',
  speed: 'max',
  achievedSpeed: 5,
  window: 10,
  requests: { arrived: 2, completed: 1, rejected: 0, failed: 0, cancelled: 0, timedOut: 0, unfinished: 1 },
  arrivalRate: 1,
  requestsPerSecond: 1,
  inputTokensPerSecond: 100,
  outputTokensPerSecond: 10,
  goodput: 1,
  waiting: 0,
  transferring: 0,
  running: 1,
  batch: 1,
  kvUse: 0.5,
  preemptionsPerSecond: 0,
  router: 'roundRobin',
  scheduler: 'fcfs',
  objectives: [],
  classes: [],
  replicas: [],
  links: [],
}

describe('messages as text', () => {
  it('a frame survives the trip, and absent percentiles stay absent', () => {
    const read = readServerMessage(writeMessage(frame))
    expect(Result.getOrThrow(read)).toEqual(frame)
    expect('ttft' in Result.getOrThrow(read)).toBe(false)
  })

  it('a field of a later version is ignored by a reader of server messages', () => {
    expect(Result.isSuccess(readServerMessage(JSON.stringify({ ...frame, later: 1 })))).toBe(true)
  })

  it('a command with an unknown field, a wrong type or no id is refused with the field named', () => {
    const bad = (value: unknown): string => {
      const read = readClientMessage(typeof value === 'string' ? value : JSON.stringify(value))
      return Result.isFailure(read) ? read.failure.message : 'accepted'
    }
    expect(bad({ type: 'rate', id: '1', requestsPerSecond: 'fast' })).toContain('requestsPerSecond')
    expect(bad({ type: 'pause', id: '1', extra: true })).toContain('extra')
    expect(bad({ type: 'pause' })).toContain('id')
    expect(bad({ type: 'fly', id: '1' })).toMatch(/type is one of watch, start, .*reset/)
    expect(bad('{"type":')).not.toBe('accepted')
    expect(bad({ type: 'speed', id: '1', speed: 0 })).not.toBe('accepted')
    expect(bad({ type: 'speed', id: '1', speed: 'max' })).toBe('accepted')
    expect(bad({ type: 'step', id: '1' })).toBe('accepted')
    // As in a scenario file, and in the address of a page that plays the run again.
    expect(bad({ type: 'reset', id: '1', seed: -1 })).toContain('seed')
    expect(bad({ type: 'mix', id: '1', weights: { chat: 3, bulk: 0 }, promptScale: 2 })).toBe('accepted')
    expect(bad({ type: 'mix', id: '1', weights: { chat: -1 } })).toContain('chat')
    expect(bad({ type: 'mix', id: '1', outputScale: 0 })).toContain('outputScale')
  })
})
