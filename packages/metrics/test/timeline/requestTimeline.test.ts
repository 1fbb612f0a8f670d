import { describe, expect, it } from 'vitest'
import { allMet } from '../../src/timeline/objectives.ts'
import { e2eOf, emptyTimeline, phasesOf, tpotOf, ttftOf } from '../../src/timeline/requestTimeline.ts'

const phases = () => ({ queue: 0, prefill: 0, transfer: 0, decode: 0 })

describe('definitions over one request', () => {
  it('101 tokens of 512 asked for, TTFT 0.2 s, E2E 2.2 s: TPOT is 20.0 ms', () => {
    const t = { ...emptyTimeline(), arrival: 0, admitted: 0, firstToken: 0.2, ended: 2.2, outputTokens: 101 }
    expect(ttftOf(t)).toBe(0.2)
    expect(e2eOf(t)).toBe(2.2)
    expect(tpotOf(t)).toBeCloseTo(0.02, 12)
  })

  it('one token has no TPOT, and counts as meeting a TPOT objective', () => {
    const t = { ...emptyTimeline(), firstToken: 0.2, ended: 0.2, outputTokens: 1 }
    expect(tpotOf(t)).toBeUndefined()
    expect(allMet(t, { serviceClass: 'chat', tpot: 0.001 })).toBe(true)
    expect(allMet(t, { serviceClass: 'chat', ttft: 0.1 })).toBe(false)
  })

  it('a request that did not complete has no E2E and meets nothing', () => {
    const t = { ...emptyTimeline(), ended: 1, ending: 'failed' as const }
    expect(e2eOf(t)).toBeUndefined()
    expect(allMet(t, { serviceClass: 'chat' })).toBe(false)
  })

  it('the phases follow one another and sum to the time from arrival to ending', () => {
    const t = {
      ...emptyTimeline(),
      arrival: 1,
      admitted: 3,
      firstToken: 6,
      transferStarted: 6.5,
      transferred: 8,
      ended: 18,
    }
    expect(phasesOf(t, phases())).toEqual({ queue: 2, prefill: 3, transfer: 2, decode: 10 })
    const early = { ...t, firstToken: 9, transferStarted: 5 }
    expect(phasesOf(early, phases())).toEqual({ queue: 2, prefill: 2, transfer: 3, decode: 10 })
    const rejected = { ...emptyTimeline(), arrival: 1, ended: 4, ending: 'rejected' as const }
    expect(phasesOf(rejected, phases())).toEqual({ queue: 3, prefill: 0, transfer: 0, decode: 0 })
  })
})
