import { describe, expect, it } from 'vitest'
import { type EngineContext, type VllmOptions, vllm } from '../../src/index.ts'
import { type Asked, oneReplica } from '../reference/stepLog.ts'

const usual: VllmOptions = {
  maxModelLength: 1000,
  prefixCache: false,
  maxBatchedTokens: 8,
  maxSequences: 4,
  blockSize: 4,
  totalBlocks: 100,
  chunkedPrefill: true,
  longPrefillThreshold: 0,
  reserveFullPrompt: true,
  watermark: 0,
  asyncScheduling: false,
}

/** Runs the requests to the end; every step takes a second. */
function ran(asked: readonly Asked[], options: Partial<VllmOptions> = {}, scheduler = 'fcfs') {
  const create = (context: EngineContext) => vllm.create(context, { ...usual, ...options })
  const run = oneReplica(asked, create, scheduler)
  run.runTo(10_000)
  return run.log
}

/** Two requests that both want a third block at 2 s, when one is left. */
const pressed = { maxBatchedTokens: 16, totalBlocks: 5 }
const pair = (first: Partial<Asked> = {}, second: Partial<Asked> = {}): Asked[] => [
  { input: 7, output: 6, ...first },
  { input: 7, output: 6, ...second },
]

describe('the rules of vLLM', () => {
  it('1: there are no phases: decodes and chunks of prompts share the budget of a step', () => {
    const { steps, ends } = ran([
      { input: 4, output: 3 },
      { input: 20, output: 1 },
    ])
    expect(steps).toEqual(['0 + A4 B4', '1 + B7', '1 + B7', '0 + B2'])
    expect(ends).toEqual(['3: A completed 3', '4: B completed 1'])
  })

  it('2: running requests come first, in order, each with at most the long-prefill threshold', () => {
    const { steps } = ran(Array(3).fill({ input: 9, output: 1 }), { longPrefillThreshold: 3 })
    expect(steps).toEqual(['0 + A3 B3 C2', '0 + A3 B3 C2', '0 + A3 B3 C2', '0 + C3'])
  })

  it('3: where blocks run out, the last of the running list gives way', () => {
    const { preemptions } = ran(pair(), pressed)
    expect(preemptions).toEqual(['2: B 8'])
  })

  it('3, priority: the worst priority gives way, wherever it stands', () => {
    const { preemptions } = ran(pair({ priority: 5 }, { priority: 0, at: 0 }), pressed, 'priority')
    expect(preemptions).toEqual(['2: A 8'])
  })

  /** P, the worse one, is admitted at 0 s with 6 tokens a step; Q joins at 1 s with the 2 that are left. */
  const unequal: Asked[] = [
    { input: 18, output: 1, priority: 9 },
    { input: 18, output: 1, priority: 0, at: 0.5 },
  ]

  it('3, priority: a victim that was already scheduled in the step gives its budget back', () => {
    const { steps, preemptions } = ran(
      unequal,
      { longPrefillThreshold: 6, blockSize: 2, totalBlocks: 10, reserveFullPrompt: false },
      'priority',
    )
    // At 2 s A takes 6 tokens and the last 3 blocks. B wants one block: A goes, and B has 6 tokens rather than 2.
    expect(preemptions[0]).toBe('2: A 18')
    expect(steps.slice(0, 3)).toEqual(['0 + A6', '0 + A6 B2', '0 + B6'])
  })

  it('3, priority: a prompt that is its own victim ends the round', () => {
    const { steps, preemptions } = ran(
      unequal,
      { maxBatchedTokens: 12, longPrefillThreshold: 6, blockSize: 2, totalBlocks: 10, reserveFullPrompt: false },
      'priority',
    )
    // At 2 s A has 6 of 10 blocks, B 3. A wants 3 more and is the worst itself: the round ends with nothing to run, and the
    // step is composed anew, first with B, then with A from its beginning.
    expect(preemptions[0]).toBe('2: A 12')
    expect(steps.slice(0, 3)).toEqual(['0 + A6', '0 + A6 B6', '0 + B6 A6'])
  })

  it('4: a preempted request loses all blocks, keeps its output as text, and stands at the head of the queue', () => {
    const { admissions, firstAt, ends } = ran([...pair(), { input: 4, output: 1, at: 1.5 }], pressed)
    expect(admissions).toEqual(['0: A 0/7', '0: B 0/7', '6: B 0/9 again', '6: C 0/4'])
    expect(firstAt).toEqual({ A: 1, B: 1, C: 7 })
    expect(ends).toEqual(['6: A completed 6', '7: C completed 1', '10: B completed 6'])
  })

  it('5: nobody is admitted in a step for which somebody was preempted', () => {
    const asked = [...pair({ priority: 0 }, { priority: 5 }), { input: 4, output: 1, at: 1.5, priority: 1 }]
    const { preemptions, admissions } = ran(asked, pressed, 'priority')
    expect(preemptions).toEqual(['2: B 8'])
    // The block that C needs was free at 2 s already.
    expect(admissions[2]).toBe('3: C 0/4')
  })

  it('6: at least one token is computed, so that an aligned prompt recomputes its whole last block', () => {
    const text = [[1, 48]] as const
    const options = { prefixCache: true, blockSize: 16, maxBatchedTokens: 100 }
    const { admissions, chunks } = ran(
      [
        { input: 48, output: 1, text },
        { input: 48, output: 1, text, at: 1 },
        { input: 49, output: 1, text, at: 2 },
      ],
      options,
    )
    expect(admissions).toEqual(['0: A 0/48', '1: B 32/48', '2: C 48/49'])
    expect([...chunks.values()].flat()).toEqual(['A48', 'B16', 'C1'])
  })

  it('6: a preempted request looks for its prefix again', () => {
    const asked = pair({ text: [[1, 7]] }, { text: [[2, 7]] })
    const { admissions } = ran(asked, { ...pressed, prefixCache: true })
    expect(admissions.at(-1)).toBe('6: B 4/9 again')
  })

  it('7: without chunked prefill a prompt beyond the budget waits, and so does everybody behind it', () => {
    const asked = [
      { input: 6, output: 2 },
      { input: 6, output: 1 },
      { input: 2, output: 1 },
    ]
    expect(ran(asked, { chunkedPrefill: false }).steps).toEqual(['0 + A6', '1 + B6', '0 + C2'])
  })

  it('7: a waiting request never preempts a running one', () => {
    const { admissions, preemptions } = ran(
      [
        { input: 8, output: 5 },
        { input: 8, output: 1 },
        { input: 1, output: 1 },
      ],
      { totalBlocks: 3, maxBatchedTokens: 16 },
    )
    expect(preemptions).toEqual([])
    expect(admissions).toEqual(['0: A 0/8', '5: B 0/8', '5: C 0/1'])
  })

  const tight: Asked[] = [
    { input: 4, output: 9 },
    { input: 16, output: 1 },
  ]

  it('8: a prompt is admitted when the whole of it fits', () => {
    expect(ran(tight, { totalBlocks: 4 }).admissions).toEqual(['0: A 0/4', '9: B 0/16'])
  })

  it('8: without that gate it is admitted when its first chunk fits, and pays for it', () => {
    const { admissions, preemptions } = ran(tight, { totalBlocks: 4, reserveFullPrompt: false })
    expect(admissions[1]).toBe('0: B 0/16')
    expect(preemptions.length).toBeGreaterThan(0)
  })

  it('8: the watermark is kept free of admissions beside others, and of nothing else', () => {
    const asked = [
      { input: 13, output: 1 },
      { input: 8, output: 4, at: 1 },
      { input: 4, output: 1, at: 2 },
    ]
    // Half of 4 blocks. A takes all 4, being alone; B leaves 2, being alone; C would leave fewer than 2 beside B.
    const { admissions } = ran(asked, { totalBlocks: 4, maxBatchedTokens: 16, watermark: 0.5 })
    expect(admissions).toEqual(['0: A 0/13', '1: B 0/8', '5: C 0/4'])
  })

  it('9: a token is sampled only when the whole text is computed', () => {
    expect(ran([{ input: 20, output: 1 }]).firstAt).toEqual({ A: 3 })
  })

  it('10: freed blocks are reused least recently freed first, the tail of a text before its head', () => {
    const text = [[1, 12]] as const
    const { admissions } = ran(
      [
        { input: 13, output: 1, text },
        { input: 13, output: 1, at: 1 },
        { input: 13, output: 1, text, at: 2 },
      ],
      { prefixCache: true, totalBlocks: 6, maxBatchedTokens: 16 },
    )
    // A frees its own block, then the third, second and first of its text. B takes two that were never used, A's own, the third.
    expect(admissions).toEqual(['0: A 0/13', '1: B 0/13', '2: C 8/13'])
  })

  it('11: hits are counted in tokens, once for each admission, however long the head has waited', () => {
    const text = [[1, 8]] as const
    const { admissions } = ran(
      [
        { input: 9, output: 6, text },
        { input: 9, output: 1, text },
      ],
      { prefixCache: true, maxSequences: 1, maxBatchedTokens: 16 },
    )
    expect(admissions).toEqual(['0: A 0/9', '6: B 8/9'])
  })

  it('12: with async scheduling an arrival during step k runs in step k + 2', () => {
    const asked = [
      { input: 4, output: 10 },
      { input: 4, output: 1, at: 2.5 },
    ]
    expect(ran(asked).chunks.get(3)).toEqual(['B4'])
    expect(ran(asked, { asyncScheduling: true }).chunks.get(4)).toEqual(['B4'])
  })

  it('12: a request that ends at its limit is not scheduled again; one that ends by itself costs one more step', () => {
    const options = { asyncScheduling: true }
    expect(ran([{ input: 4, output: 3 }], options).steps).toEqual(['0 + A4', '1 +', '1 +'])
    const early = ran([{ input: 4, output: 3, max: 10 }], options)
    expect(early.steps).toEqual(['0 + A4', '1 +', '1 +', '1 +'])
    expect(early.ends).toEqual(['3: A completed 3'])
    expect(early.gaps).toEqual([1, 1])
  })
})
