import { expect, it } from 'vitest'
import { RunRecorder } from '../../src/summary/runRecorder.ts'
import { TICKS_PER_SECOND } from '../../src/ticks.ts'
import { fakeView, observersOf } from '../fakes.ts'

it('a chat stream of 5 tokens, TTFT 200 ms, gap 20 ms: E2E is 280 ms and there are four gaps', () => {
  const recorder = new RunRecorder()
  for (const o of observersOf(recorder)) {
    o.arrived(0, 0, 100, 5, 0, 0)
    o.admitted(0, 0, 0, 0, 100, 0)
    o.firstToken(0, 0.2)
    o.decodeRun(0, 0.2, 4, 1, Math.round(0.02 * TICKS_PER_SECOND), 0)
    o.ended(0, 0.28, 'completed', 5, '')
  }
  const { ttft, e2e, itl, tpot } = recorder.summary.figures(1, fakeView(1))
  expect(ttft.p50).toBeCloseTo(0.2, 12)
  expect(e2e.p50).toBeCloseTo(0.28, 12)
  expect(itl.count).toBe(4)
  expect(itl.mean).toBeCloseTo(0.02, 12)
  expect(tpot.mean).toBeCloseTo(0.02, 12)
})
