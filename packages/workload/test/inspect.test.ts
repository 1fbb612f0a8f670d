import { describe, expect, it } from 'vitest'
import { readTrace, TraceInspector } from '../src/index.ts'

function inspect(text: string, options = {}) {
  const inspector = new TraceInspector()
  for (const row of readTrace(text, options)) inspector.add(row)
  return inspector.summary()
}

const row = (timestamp: number, tokens: number, ids: number[]) =>
  JSON.stringify({ timestamp, input_length: tokens, output_length: 10, hash_ids: ids })

describe('the summary of a trace', () => {
  it('counts rows, span, rate and the variation of gaps', () => {
    // Gaps of 1, 1 and 4 s: mean 2, variance (1 + 1 + 4) / 3 = 2.
    const summary = inspect([0, 1000, 2000, 6000].map((at) => row(at, 1, [at])).join('\n'))
    expect(summary).toMatchObject({
      rows: 4,
      timedRows: 4,
      spanSeconds: 6,
      requestsPerSecond: 0.5,
      longestGapSeconds: 4,
      instants: 4,
    })
    expect(summary.interarrivalCv).toBeCloseTo(Math.SQRT2 / 2, 12)
  })
  it('gives lengths with percentiles between neighbours', () => {
    const text = `input_tokens,output_tokens\n${[10, 20, 30, 40].map((n) => `${n},${n * 2}`).join('\n')}`
    const summary = inspect(text, { times: 'optional' })
    expect(summary.input).toMatchObject({ mean: 25, minimum: 10, p50: 25, maximum: 40, total: 100 })
    // Rank 0.9 x 3 = 2.7: 60 + 0.7 x 20.
    expect(summary.output.p90).toBeCloseTo(74, 12)
    expect(summary).toMatchObject({
      timedRows: 0,
      spanSeconds: undefined,
      requestsPerSecond: undefined,
      prefix: undefined,
    })
  })
  it('finds what an endless prefix cache could reuse, never the last token', () => {
    // Blocks of 512: the second prompt is the first again, of which only one whole block is before the last token.
    const summary = inspect([row(0, 1024, [1, 2]), row(0, 1024, [1, 2]), row(0, 1025, [1, 2, 3])].join('\n'))
    expect(summary.prefix).toMatchObject({ blocks: 7, reusedBlocks: 4, distinctBlocks: 3 })
    expect(summary.prefix!.tokenShare).toBeCloseTo((512 + 1024) / (1024 + 1024 + 1025), 12)
  })
  it('a block after a different one is another block', () => {
    expect(inspect([row(0, 1024, [1, 9]), row(0, 1024, [2, 9])].join('\n')).prefix!.reusedBlocks).toBe(0)
  })
  it('tells what an LRU cache of a size would hit', () => {
    // A B C A: two other blocks lie between the touches of A, so a cache of 2 misses it and one of 4 hits.
    const once = ['a', 'b', 'c', 'a'].map((name) => row(0, 512, [name.charCodeAt(0)]))
    expect(inspect(once.join('\n')).prefix!.lruCurve).toEqual([
      { cacheBlocks: 1, blockShare: 0 },
      { cacheBlocks: 2, blockShare: 0 },
      { cacheBlocks: 4, blockShare: 0.25 },
    ])
  })
  it('keeps its reuse distances when it renumbers: 3 blocks in turn, 4000 times', () => {
    const text = Array.from({ length: 4000 }, (_, i) => row(i, 512, [i % 3])).join('\n')
    expect(inspect(text).prefix!.lruCurve.at(-1)).toEqual({ cacheBlocks: 4, blockShare: 3997 / 4000 })
  })
})
