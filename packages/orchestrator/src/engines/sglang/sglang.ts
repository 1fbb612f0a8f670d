import type { EngineKind } from '../engine.ts'
import { SglangEngine } from './sglangEngine.ts'
import type { SglangOptions } from './sglangOptions.ts'

export const sglang: EngineKind<SglangOptions> = {
  name: 'sglang',
  description:
    'SGLang: prefill batches first, admission by a forecast of tokens, a radix tree of text, retraction, overlapped scheduling',
  create(context, options) {
    const { chunkedPrefillTokens, blockSize, mixedChunk, policy } = options
    if (chunkedPrefillTokens % blockSize !== 0) {
      throw new RangeError(
        `chunkedPrefillTokens ${chunkedPrefillTokens} is not a multiple of the page size ${blockSize}; a prompt is cut where a page ends`,
      )
    }
    if (mixedChunk && chunkedPrefillTokens === 0) {
      throw new RangeError('mixedChunk needs chunkedPrefillTokens above 0: only chunks share a step with decodes')
    }
    if (policy === 'lpm' && context.scheduler.rank !== undefined) {
      throw new RangeError(
        `policy lpm orders the queue by itself, but the scheduler "${context.scheduler.name}" ranks it too; take fcfs for one of them`,
      )
    }
    return new SglangEngine(context, options)
  },
}
