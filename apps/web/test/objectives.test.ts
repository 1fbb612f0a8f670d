import type { RequestSample } from '@windtunnel/protocol'
import { describe, expect, it } from 'vitest'
import { firstTokenParts, standing } from '../src/live/objectives.ts'

const sample = (queue: number, prefill: number): RequestSample => ({
  type: 'requestSample',
  run: 'demo',
  request: 1,
  arrival: 0,
  queue,
  prefill,
  transfer: 0,
  decode: 1,
  ttft: queue + prefill,
  inputTokens: 10,
  cachedTokens: 0,
  outputTokens: 10,
  preemptions: 0,
  serviceClass: 'default',
  ending: 'completed',
})

describe('objectives', () => {
  it('are breached above the promise, and say nothing without a promise or a figure', () => {
    expect(standing(0.6, 0.5)).toBe('breach')
    expect(standing(0.5, 0.5)).toBe('met')
    expect(standing(0.6, undefined)).toBe('none')
    expect(standing(undefined, 0.5)).toBe('none')
  })

  it('say where the time to the first token goes, the larger part first', () => {
    expect(firstTokenParts(Array.from({ length: 5 }, () => sample(3, 1)))).toBe('75 % queue, 25 % prefill')
    expect(firstTokenParts(Array.from({ length: 5 }, () => sample(1, 3)))).toBe('75 % prefill, 25 % queue')
  })

  it('wait for a few samples before they say so', () => {
    expect(firstTokenParts([sample(3, 1)])).toBeUndefined()
  })
})
