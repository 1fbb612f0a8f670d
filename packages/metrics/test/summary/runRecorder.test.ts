import { describe, expect, it } from 'vitest'
import { RunRecorder } from '../../src/summary/runRecorder.ts'
import { TICKS_PER_SECOND } from '../../src/ticks.ts'
import { WindowObserver } from '../../src/window/windowObserver.ts'
import { fakeView, observersOf } from '../fakes.ts'

const labels = {
  scenario: 'hand',
  seed: 7,
  cost: { backend: 'linear', extrapolated: false },
  warnings: [],
  simulatorSeconds: 0.1,
}
const gap = TICKS_PER_SECOND / 4

/**
 * Two requests arrive at 0 s. A (4 tokens) is admitted at once, B (1 token) at 1 s. First tokens at 0.5 s and 1.5 s; A's
 * gaps are 0.25, 0.25 and 1 s, so it ends at 2 s. C is rejected, D is still there at 4 s.
 */
function twoRequests(recorder: RunRecorder) {
  for (const o of observersOf(recorder)) {
    o.arrived(0, 0, 100, 4, 0, 0)
    o.arrived(1, 0, 60, 1, 1, 0)
    o.admitted(0, 0, 0, 32, 100, 0)
    o.firstToken(0, 0.5)
    o.admitted(1, 1, 0, 0, 60, 0)
    o.decodeRun(0, 0.5, 2, 1, gap, 0)
    o.preempted(0, 1, 0, 103)
    o.admitted(0, 1.2, 0, 96, 103, 1)
    o.firstToken(1, 1.5)
    o.ended(1, 1.5, 'completed', 1, '')
    o.tokenGap(0, 2, 4 * gap)
    o.ended(0, 2, 'completed', 4, '')
    o.arrived(2, 2.5, 9999, 1, 0, 0)
    o.ended(2, 2.5, 'rejected', 0, 'longer than the context of the model')
    o.arrived(3, 3, 10, 10, 0, 0)
  }
  return recorder.document({ view: () => fakeView(4) } as never, labels)
}

describe('the summary of a run', () => {
  const objectives = [
    { serviceClass: 'chat', ttft: 0.5, tpot: 0.5 },
    { serviceClass: 'batch', ttft: 1, tpot: 0.001 },
  ]
  const document = twoRequests(new RunRecorder({ objectives }))

  it('accounts for every request', () => {
    expect(document.requests).toEqual({
      arrived: 4,
      completed: 2,
      rejected: 1,
      failed: 0,
      cancelled: 0,
      timedOut: 0,
      unfinished: 1,
    })
  })

  it('pools TTFT, gaps and queue times by their definitions', () => {
    expect(document.ttft).toMatchObject({ mean: 1, max: 1.5, count: 2 })
    expect(document.itl).toMatchObject({ mean: 0.5, max: 1, count: 3 })
    expect(document.queue).toMatchObject({ mean: 0.5, max: 1, count: 2 })
    expect(document.e2e).toMatchObject({ mean: 1.75, max: 2, count: 2 })
  })

  it('TPOT is per request, (last - first) / (n - 1), and leaves out the request of one token', () => {
    expect(document.tpot).toMatchObject({ mean: 0.5, max: 0.5, count: 1 })
  })

  it('rates are over the simulated seconds, and goodput counts the class limits', () => {
    expect(document.simulatedSeconds).toBe(4)
    expect(document.throughput).toEqual({
      requestsPerSecond: 0.5,
      inputTokensPerSecond: 40,
      outputTokensPerSecond: 1.25,
    })
    expect(document.goodput).toBe(0.25)
  })

  it('the prefix hit rate is a ratio of sums over first admissions, and the peak is of KV blocks', () => {
    expect(document.kv).toEqual({ peakUtilisation: 0.75, prefixHitRate: 0.2 })
    expect(document.preemptions).toBe(1)
  })

  it('a run without any fact has counts of 0 and no percentile', () => {
    const empty = new RunRecorder().document({ view: () => fakeView(0) } as never, labels)
    expect(empty.ttft).toEqual({ count: 0 })
    expect(empty.throughput.requestsPerSecond).toBe(0)
  })

  it('the window over the whole run agrees with the summary', () => {
    const window = new WindowObserver({ slots: 8, slotSeconds: 1, objectives })
    twoRequests(new RunRecorder({ objectives, recordings: [window] }))
    const { merged, seconds } = window.fleet.over(7, 4)
    expect(seconds).toBe(4)
    expect(merged.arrived).toBe(4)
    expect(merged.completed).toBe(2)
    expect(merged.good).toBe(1)
    expect(merged.outputTokens).toBe(5)
    expect(merged.itl.meanSeconds).toBe(document.itl.mean)
    expect(merged.ttft.meanSeconds).toBe(1)
    expect(window.classes[1]!.over(7, 4).merged.completed).toBe(1)
  })
})
