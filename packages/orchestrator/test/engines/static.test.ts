import { describe, expect, it } from 'vitest'
import { type StaticOptions, staticBatching } from '../../src/index.ts'
import { type Line, plainCost, start } from '../reference/timeline.ts'

const options: StaticOptions = {
  maxSequences: 3,
  blockSize: 4,
  totalBlocks: 100,
  maxModelLength: 64,
  prefixCache: false,
  maxWaitSeconds: 0.5,
}

/** A decode step takes 1/8 s, a prompt token 1/64 s. */
const cost = plainCost(1 / 8, 1 / 64)

const run = (lines: readonly Line[], changes: Partial<StaticOptions> = {}) =>
  start(lines, cost, (context) => staticBatching.create(context, { ...options, ...changes }))

const six: Line[] = [
  { at: 0, input: 4, output: 1 },
  { at: 0, input: 8, output: 5 },
  { at: 0, input: 2, output: 3 },
  { at: 0.125, input: 16, output: 2 },
  { at: 0.25, input: 6, output: 4 },
  { at: 3, input: 8, output: 1 },
]

describe('static batching, six requests by hand', () => {
  /*
   * Batch 1 is full at 0: requests 0, 1, 2. All are padded to 8 tokens: 3 * 8 / 64 = 0.375 s of prefill.
   *   0.375  first tokens; request 0 (1 token) ends
   *   0.625  two steps later request 2 (3 tokens) ends
   *   0.875  four steps later request 1 (5 tokens) ends, and with it the batch
   * Batch 2: requests 3 and 4 do not fill it, but request 3 has waited longer than 0.5 s (since 0.125). Padded to 16:
   *   2 * 16 / 64 = 0.5 s.
   *   1.375  first tokens;  1.5  request 3 ends;  1.75  request 4 ends, and the batch
   * Batch 3: request 5 waits for company from 3 to 3.5, then 8 / 64 = 0.125 s: first and last token at 3.625.
   */
  it('runs every batch until its longest output has ended', () => {
    const { timeline, runTo } = run(six)
    runTo(10)
    expect(timeline.admittedAt).toEqual([0, 0, 0, 0.875, 0.875, 3.5])
    expect(timeline.firstAt).toEqual([0.375, 0.375, 0.375, 1.375, 1.375, 3.625])
    expect(timeline.endedAt).toEqual([0.375, 0.875, 0.625, 1.5, 1.75, 3.625])
    expect(timeline.endings).toEqual([
      'completed 1',
      'completed 5',
      'completed 3',
      'completed 2',
      'completed 4',
      'completed 1',
    ])
  })

  it('pays for padding and for rows that have ended', () => {
    const { timeline, runTo } = run(six)
    runTo(10)
    // Padded prompt tokens: 24 for 14 real ones, 32 for 22, 8 for 8.
    expect(timeline.prefills).toEqual([
      [0, 0.375, 24],
      [0.875, 1.375, 32],
      [3.5, 3.625, 8],
    ])
    // Batch 1 decodes 4 steps of 3 rows = 12 row-steps for 4 + 2 = 6 tokens; batch 2 decodes 3 steps of 2 rows for 1 + 3.
    expect(timeline.decodeSteps).toEqual([
      [0.375, 3],
      [0.5, 3],
      [0.625, 3],
      [0.75, 3],
      [1.375, 2],
      [1.5, 2],
      [1.625, 2],
    ])
    expect(timeline.gapCounts()).toEqual({ 0.125: 10 })
  })

  it('reserves the padded prompt and the longest allowed output for every row, until the batch is over', () => {
    const { simulation, runTo } = run(six)
    // Batch 1: 3 rows of ceil((8 + 5) / 4) = 4 blocks. Batch 2: 2 rows of ceil((16 + 4) / 4) = 5 blocks.
    runTo(0.8)
    expect(simulation.view().replicas[0]).toMatchObject({ usedBlocks: 12, running: 1, waiting: 2 })
    runTo(1.6)
    expect(simulation.view().replicas[0]).toMatchObject({ usedBlocks: 10, running: 1, waiting: 0 })
    runTo(2)
    expect(simulation.view().replicas[0]).toMatchObject({ usedBlocks: 0, peakUsedBlocks: 12 })
  })

  it('keeps out a request whose row would not fit, and all behind it', () => {
    // Two rows of 4 blocks fit into 10, a third does not: request 2 waits for the next batch.
    const { timeline, runTo } = run(six, { totalBlocks: 10 })
    runTo(0.375)
    expect(timeline.firstAt).toEqual([0.25, 0.25])
    expect(timeline.admittedAt).toEqual([0, 0])
  })

  it('counts what a request with an early end was allowed, and stops with the last that lives', () => {
    const { timeline, simulation, runTo } = run(
      [
        { at: 0, input: 8, output: 2, maxTokens: 8 },
        { at: 0, input: 8, output: 9, cancelAfter: 0.4 },
      ],
      { maxWaitSeconds: 0 },
    )
    // Prefill 16 / 64 = 0.25. Request 0 ends at 0.375. Request 1 leaves at 0.4, in the step that ends at 0.5: over then.
    runTo(0.45)
    expect(simulation.view().replicas[0]!.usedBlocks).toBe(2 * Math.ceil((8 + 9) / 4))
    runTo(0.5)
    expect(simulation.view().replicas[0]!.usedBlocks).toBe(0)
    expect(timeline.endings).toEqual(['completed 2', 'cancelled 2'])
    expect(timeline.decodeSteps).toHaveLength(2)
  })

  it('refuses what can never fit, with both numbers', () => {
    const { timeline, runTo } = run([{ at: 0, input: 60, output: 5 }])
    runTo(1)
    expect(timeline.endings).toEqual(['rejected 0'])
  })

  it('wants no prefix cache and no part of a disaggregated layout', () => {
    expect(() => run([], { prefixCache: true })).toThrow('set prefixCache to false')
  })
})
