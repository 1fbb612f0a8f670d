import { describe, expect, it } from 'vitest'
import { aiperfResult } from '../src/export/aiperfResult.ts'
import { ResultCollector } from '../src/export/resultSet.ts'
import { vllmBenchResult } from '../src/export/vllmBench.ts'
import { RunRecorder } from '../src/summary/runRecorder.ts'
import { TICKS_PER_SECOND } from '../src/ticks.ts'
import { labels } from './export/fourRequests.ts'
import { fakeView, observersOf } from './fakes.ts'

/** One request of `tokens` tokens: TTFT and gaps in seconds; `asked` is what the client asked for. */
function oneRequest(asked: number, tokens: number, ttft: number, gap: number) {
  const collector = new ResultCollector()
  const recorder = new RunRecorder({
    objectives: [{ serviceClass: 'chat', ttft: 1, tpot: 0.001 }],
    recordings: [collector],
  })
  for (const o of observersOf(recorder)) {
    o.arrived(0, 0, 100, asked, 0, 0)
    o.admitted(0, 0, 0, 0, 100, 0)
    o.firstToken(0, ttft)
    if (tokens > 1) o.decodeRun(0, ttft, tokens - 1, 1, Math.round(gap * TICKS_PER_SECOND), 0)
    o.ended(0, ttft + (tokens - 1) * gap, 'completed', tokens, '')
  }
  return { figures: recorder.summary.figures(4, fakeView(4)), set: collector.collected(4) }
}

describe('behaviours of metrics', () => {
  it('15: asked for 512 tokens, got 101; TTFT 0.2 s, E2E 2.2 s: TPOT is 20.0 ms, in every file too', () => {
    const { figures, set } = oneRequest(512, 101, 0.2, 0.02)
    expect(figures.tpot.mean).toBeCloseTo(0.02, 12)
    expect(figures.e2e.mean).toBeCloseTo(2.2, 12)
    expect(vllmBenchResult(set, labels)['mean_tpot_ms']).toBeCloseTo(20, 9)
    expect(aiperfResult(set, labels)).toMatchObject({ inter_token_latency: { avg: expect.closeTo(20, 9) } })
  })

  it('15: with one token TPOT is undefined, left out of mean and percentiles, and counts as met for goodput', () => {
    const { figures, set } = oneRequest(1, 1, 0.2, 0)
    expect(figures.tpot).toEqual({ count: 0 })
    expect(figures.goodput).toBe(0.25)
    expect(aiperfResult(set, labels)).not.toHaveProperty('inter_token_latency')
  })

  it('16: TTFT 200 ms, gap 20 ms, 5 tokens: TTFT 200, E2E 280, four gaps', () => {
    const { figures, set } = oneRequest(5, 5, 0.2, 0.02)
    expect(figures.ttft.mean).toBeCloseTo(0.2, 12)
    expect(figures.e2e.mean).toBeCloseTo(0.28, 12)
    expect(figures.itl).toMatchObject({ count: 4, mean: expect.closeTo(0.02, 12) })
    expect(set.gaps.weights).toEqual([4])
  })

  it('goodput goes into the files of tools that have it, and only where something was promised', () => {
    const { figures, set } = oneRequest(1, 1, 0.2, 0)
    expect(vllmBenchResult(set, { ...labels, goodput: figures.goodput })).toMatchObject({ request_goodput: 0.25 })
    expect(aiperfResult(set, { ...labels, goodput: figures.goodput })).toMatchObject({
      goodput: { avg: 0.25 },
      good_request_count: { avg: 1 },
    })
    expect(vllmBenchResult(set, labels)).toMatchObject({ request_goodput: null })
    expect(aiperfResult(set, labels)).not.toHaveProperty('goodput')
  })
})
