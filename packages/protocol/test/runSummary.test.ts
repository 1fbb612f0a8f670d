import type { DetailedSummary as Document } from '@windtunnel/metrics'
import { describe, expectTypeOf, it } from 'vitest'
import type { RunSummary } from '../src/runSummary.ts'

describe('the summary on the wire', () => {
  it('is the document that the metrics package makes, with its details', () => {
    expectTypeOf<Document>().toExtend<RunSummary>()
    expectTypeOf<keyof RunSummary>().toEqualTypeOf<keyof Document>()
  })
})
