import { describe, expect, it } from 'vitest'
import { trtllm } from '../../src/index.ts'
import { runSglang } from '../reference/sglangTimeline.ts'
import { plainCost, start } from '../reference/timeline.ts'

describe('SGLang that looks for new requests now and then', () => {
  const lines = [
    { at: 0, own: 8, output: 10 },
    { at: 1.5, own: 8, output: 1 },
  ]

  it('takes up a request after the decode steps of its interval, counted from the last prefill batch', () => {
    // The prompt takes 0-1, decode steps 1 s each; without an interval the second prompt runs at 2-3.
    expect(runSglang(lines, {}).firstAt[1]).toBe(3)
    // After three decode steps, at 4, it looks again: 4-5.
    const { firstAt, steps } = runSglang(lines, { receiveInterval: 3 })
    expect(firstAt[1]).toBe(5)
    expect(steps.slice(0, 3)).toEqual(['0-1: 1 x 0 + 8', '1-4: 3 x 1 + 0', '4-5: 1 x 0 + 8'])
  })

  it('takes up at once what comes while it is idle, or while a prompt is computed', () => {
    const idle = [
      { at: 0, own: 8, output: 1 },
      { at: 5, own: 8, output: 1 },
      { at: 5.5, own: 8, output: 1 },
    ]
    expect(runSglang(idle, { receiveInterval: 10 }).firstAt).toEqual([1, 6, 7])
  })
})

describe('TensorRT-LLM that holds prompts back', () => {
  const firstOfSecond = (batchWait?: { steps: number; tokenShare: number }) => {
    const { timeline, runTo } = start(
      [
        { at: 0, input: 8, output: 12 },
        { at: 1.5, input: 8, output: 1 },
      ],
      plainCost(1, 1 / 8),
      (context) =>
        trtllm.create(context, {
          maxModelLength: 1000,
          prefixCache: false,
          maxSequences: 8,
          maxBatchedTokens: 64,
          blockSize: 4,
          totalBlocks: 100,
          chunkedPrefill: false,
          capacity: 'noEvict',
          overlap: false,
          ...(batchWait === undefined ? {} : { batchWait }),
        }),
    )
    runTo(100)
    return timeline.firstAt[1]
  }

  it('computes a prompt beside running requests after so many steps', () => {
    // A mixed step of one decode and 8 prompt tokens takes 2 s: at 2-4 without a wait, at 5-7 after the steps at 2, 3 and 4.
    expect(firstOfSecond()).toBe(4)
    expect(firstOfSecond({ steps: 3, tokenShare: 1 })).toBe(7)
  })

  it('waits no longer once the tokens of the step are enough', () => {
    // 1 + 8 tokens of a budget of 64: a share of 0.14.
    expect(firstOfSecond({ steps: 3, tokenShare: 0.14 })).toBe(4)
    expect(firstOfSecond({ steps: 3, tokenShare: 0.15 })).toBe(7)
  })
})
