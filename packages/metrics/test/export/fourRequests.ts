import type { ResultLabels } from '../../src/export/resultLabels.ts'
import { ResultCollector } from '../../src/export/resultSet.ts'
import { RunRecorder } from '../../src/summary/runRecorder.ts'
import { TICKS_PER_SECOND } from '../../src/ticks.ts'
import { observersOf } from '../fakes.ts'

export const labels: ResultLabels = {
  model: 'example/model',
  startedAt: '2026-01-01T00:00:00Z',
  startedAtSeconds: 1_767_225_600,
  requestsPerSecond: undefined,
}

const ticks = (seconds: number): number => Math.round(seconds * TICKS_PER_SECOND)

/**
 * Four requests in 1.5 s. r0 at 0: 100 in, 5 out, TTFT 0.2, gaps 4 x 0.05. r1 at 0.5: 200 in, 1 out, TTFT 0.3. r2 at 1:
 * 9,000 in, refused. r3 at 1: 50 in, 3 out, TTFT 0.1, gaps 2 x 0.1.
 */
export function fourRequests() {
  const collector = new ResultCollector()
  for (const o of observersOf(new RunRecorder({ recordings: [collector] }))) {
    o.arrived(0, 0, 100, 5, 0, 0)
    o.admitted(0, 0, 0, 0, 100, 0)
    o.firstToken(0, 0.2)
    o.decodeRun(0, 0.2, 4, 1, ticks(0.05), 0)
    o.ended(0, 0.4, 'completed', 5, '')
    o.arrived(1, 0.5, 200, 1, 0, 0)
    o.admitted(1, 0.5, 0, 0, 200, 0)
    o.firstToken(1, 0.8)
    o.ended(1, 0.8, 'completed', 1, '')
    o.arrived(2, 1, 9000, 1, 0, 0)
    o.ended(2, 1, 'rejected', 0, 'prompt exceeds max_model_len')
    o.arrived(3, 1, 50, 3, 0, 0)
    o.admitted(3, 1, 0, 0, 50, 0)
    o.firstToken(3, 1.1)
    o.decodeRun(0, 1.1, 2, 1, ticks(0.1), 0)
    o.ended(3, 1.3, 'completed', 3, '')
  }
  return collector.collected(1.5)
}
