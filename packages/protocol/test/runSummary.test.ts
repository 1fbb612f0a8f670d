import type { RunSummary as Document } from '@windtunnel/metrics'
import { describe, expectTypeOf, it } from 'vitest'
import type { RunSummary } from '../src/runSummary.ts'

describe('the summary on the wire', () => {
  it('is the document that the metrics package makes', () => {
    expectTypeOf<Document>().toExtend<RunSummary>()
    expectTypeOf<keyof RunSummary>().toEqualTypeOf<keyof Document>()
  })
})
