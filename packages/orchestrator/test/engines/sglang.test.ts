import { createPromptTree } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import { NewTokenRatio } from '../../src/engines/sglang/newTokenRatio.ts'
import { PrefillBudget } from '../../src/engines/sglang/prefillBudget.ts'
import { createSimulation, routers, schedulers, sglang } from '../../src/index.ts'
import { listed } from '../reference/randomTraffic.ts'
import { plainSglang, runSglang, type SglangLine, startSglang } from '../reference/sglangTimeline.ts'
import { plainCost } from '../reference/timeline.ts'

const S40 = [1, 40] as const

describe('SGLang prefills first', () => {
  const lines = [
    { at: 0, own: 8, output: 4 },
    { at: 1.5, own: 10, output: 1 },
  ]

  it('runs a prefill batch whenever one can be formed, while running requests wait', () => {
    const { steps, gaps } = runSglang(lines, { chunkedPrefillTokens: 8 })
    expect(steps).toEqual([
      '0-1: 1 x 0 + 8',
      '1-2: 1 x 1 + 0',
      '2-3: 1 x 0 + 8',
      '3-3.25: 1 x 0 + 2',
      '3.25-5.25: 2 x 1 + 0',
    ])
    expect(gaps).toEqual(['1: 1 x 1 x 1', '2: 1 x 1 x 2.25', '4.25: 1 x 1 x 1'])
  })

  it('decodes inside prefill batches only with mixedChunk, out of the same chunk budget', () => {
    const { steps, gaps } = runSglang(lines, { chunkedPrefillTokens: 8, mixedChunk: true })
    expect(steps).toEqual(['0-1: 1 x 0 + 8', '1-2: 1 x 1 + 0', '2-3.875: 1 x 1 + 7', '3.875-5.25: 1 x 1 + 3'])
    expect(gaps).toEqual(['1: 1 x 1 x 1', '2: 1 x 1 x 1.875', '3.875: 1 x 1 x 1.375'])
  })

  it('carries one cut request over to the next batch, ahead of the queue', () => {
    const { chunks } = runSglang(
      [
        { at: 0, own: 20, output: 1 },
        { at: 0, own: 10, output: 1 },
      ],
      { chunkedPrefillTokens: 16 },
    )
    expect(chunks).toEqual(['0: 0 16@0', '2: 0 4@16', '2: 1 10@0'])
  })

  it('limits a batch by its prompt tokens apart from the chunk', () => {
    const two = [
      { at: 0, own: 8, output: 1 },
      { at: 0, own: 8, output: 1 },
    ]
    expect(runSglang(two, { chunkedPrefillTokens: 16 }).chunks).toEqual(['0: 0 8@0', '0: 1 8@0'])
    expect(runSglang(two, { chunkedPrefillTokens: 16, maxPrefillTokens: 8 }).chunks).toEqual(['0: 0 8@0', '1: 1 8@0'])
  })

  it('without chunks takes a first prompt whole, even above the limit of prompt tokens', () => {
    const { chunks } = runSglang([{ at: 0, own: 50, output: 1 }], { maxPrefillTokens: 8 })
    expect(chunks).toEqual(['0: 0 50@0'])
  })

  it('cuts where a page ends', () => {
    const { chunks } = runSglang(
      [
        { at: 0, own: 5, output: 1 },
        { at: 0, own: 30, output: 1 },
      ],
      { chunkedPrefillTokens: 16, blockSize: 4 },
    )
    // 5 tokens count as 8: 8 of 16 are left.
    expect(chunks).toEqual(['0: 0 5@0', '0: 1 8@0', '1.625: 1 16@8', '3.625: 1 6@24'])
  })
})

describe('the order of the queue', () => {
  const warm = { at: 0, shared: [S40], own: 1, output: 1 }
  const strangers = (count: number): SglangLine[] =>
    Array.from({ length: count }, () => ({ at: 1, own: 10, output: 1 }))
  const second = (lines: SglangLine[], policy: 'fcfs' | 'lpm'): string =>
    runSglang(lines, { policy, maxSequences: 1 }).admissions[1]!

  it('is that of arrival by default', () => {
    expect(second([warm, ...strangers(2), { at: 1, shared: [S40], own: 2, output: 1 }], 'fcfs')).toBe('5.125: 1 0/10')
  })

  it('with lpm takes the longest match in the tree first, up to 128 waiting', () => {
    const hit = { at: 1, shared: [S40], own: 2, output: 1 }
    expect(second([warm, ...strangers(127), hit], 'lpm')).toBe('5.125: 128 40/42')
    expect(second([warm, ...strangers(128), hit], 'lpm')).toBe('5.125: 1 0/10')
  })

  it('is that of arrival with lpm too, where there is no tree to look into', () => {
    const lines = [warm, ...strangers(2), { at: 1, shared: [S40], own: 2, output: 1 }]
    expect(runSglang(lines, { policy: 'lpm', maxSequences: 1, prefixCache: false }).admissions[1]).toBe('5.125: 1 0/10')
  })

  it('with lpm puts back those that share 32 tokens or more with one before them, when the tree has at most 32', () => {
    const lines = [
      { at: 0, shared: [S40], own: 1, output: 1 },
      { at: 0, shared: [S40], own: 1, output: 1 },
      { at: 0, own: 5, output: 1 },
    ]
    // 47 tokens a batch: with 41 taken, 41 more are too many, and 5 are not.
    expect(runSglang(lines, { policy: 'lpm', maxPrefillTokens: 47 }).admissions).toEqual([
      '0: 0 0/41',
      '0: 2 0/5',
      '5.75: 1 40/41',
    ])
    expect(runSglang(lines, { maxPrefillTokens: 47 }).admissions).toEqual([
      '0: 0 0/41',
      '5.125: 1 40/41',
      '5.125: 2 0/5',
    ])
  })

  it('with lpm leaves requests in place that share less than 32 tokens', () => {
    const lines = [
      { at: 0, shared: [[2, 31] as const], own: 1, output: 1 },
      { at: 0, shared: [[2, 31] as const], own: 1, output: 1 },
      { at: 0, own: 5, output: 1 },
    ]
    expect(runSglang(lines, { policy: 'lpm' }).admissions).toEqual(['0: 0 0/32', '0: 1 0/32', '0: 2 0/5'])
  })

  it('stops at the first request that does not fit, and looks at nobody until a running request leaves', () => {
    // 50 tokens: the first is charged 10 + 1 + 20; the second needs 15 + 10 + 1 of the 19 left; the third would fit.
    const { admissions } = runSglang(
      [
        { at: 0, own: 10, output: 4, maxTokens: 20 },
        { at: 0, own: 15, output: 1, maxTokens: 10 },
        { at: 0, own: 2, output: 1 },
      ],
      { totalBlocks: 50 },
    )
    // From 1.25 on it would fit too (39 less 0.7 * 19), but the first leaves at 4.25 only.
    expect(admissions).toEqual(['0: 0 0/10', '4.25: 1 0/15', '4.25: 2 0/2'])
  })
})

describe('the forecast of tokens', () => {
  it('starts at 0.7 times the conservativeness and falls linearly to 0.14 of that in 600 decode steps', () => {
    const ratio = new NewTokenRatio(1)
    expect(ratio.value).toBe(0.7)
    ratio.decoded(300)
    expect(ratio.value).toBeCloseTo((0.7 + 0.098) / 2, 12)
    ratio.decoded(300)
    expect(ratio.value).toBeCloseTo(0.098, 12)
    ratio.decoded(1000)
    expect(ratio.value).toBeCloseTo(0.098, 12)
    ratio.reset()
    expect(ratio.value).toBe(0.7)
    expect(new NewTokenRatio(2).value).toBe(1)
  })

  it('rises on a retraction to what those that stay have produced and get room for, of their limits', () => {
    const ratio = new NewTokenRatio(1)
    ratio.decoded(600)
    ratio.retracted(50, 2 * 20, 199)
    ratio.decoded(1)
    expect(ratio.value).toBe(90 / 200)
    ratio.decoded(1)
    expect(ratio.value).toBeCloseTo(0.45 - 0.602 / 600, 12)
    ratio.retracted(500, 40, 100)
    ratio.decoded(1)
    expect(ratio.value).toBe(1)
  })

  it('charges a request its prompt in whole pages, a page, and its output limit', () => {
    const budget = new PrefillBudget(16)
    budget.begin(100, 1000, 0, 0)
    budget.charge(17, 10)
    expect(budget.left(500)).toBe(500 - 100 - (32 + 16 + 10))
  })

  it('is the share of what running requests may still produce', () => {
    // At 3.25 (two tokens out) 30 less 12 pages are free, less 0.7 * 8 by forecast: 12.4; the second needs 8 + 3 + 1.
    const lines = (maxTokens: number): SglangLine[] => [
      { at: 0, own: 10, output: 9, maxTokens },
      { at: 1.5, own: 8, output: 3 },
    ]
    expect(runSglang(lines(10), { totalBlocks: 30 }).admissions[1]).toBe('2.25: 1 0/8')
    // With a limit of 14 the forecast is 0.7 * 12: 10.6 are left, and it waits until the first has left at 9.25.
    expect(runSglang(lines(14), { totalBlocks: 30 }).admissions[1]).toBe('9.25: 1 0/8')
  })

  it('looks no further than 4096 tokens of output', () => {
    const lines = [
      { at: 0, own: 10, output: 5, maxTokens: 10_000 },
      { at: 0, own: 4000, output: 5, maxTokens: 100 },
    ]
    expect(runSglang(lines, { totalBlocks: 12_000 }).admissions).toEqual(['0: 0 0/10', '0: 1 0/4000'])
  })
})

describe('out of memory in decode', () => {
  /** 64 pages of one token. At 14.5 A has 11 tokens out, B and C 10; all 64 pages are held. */
  const lines = [
    { at: 0, own: 10, output: 24 },
    { at: 1.5, own: 20, output: 24 },
    { at: 3, own: 6, output: 14 },
  ]
  const tight = { totalBlocks: 64, conservativeness: 0.02, retractDecodeSteps: 2 }

  it('retracts the request with the fewest tokens out, of two the one with the longer prompt', () => {
    const { preemptions, admissions, endings, gaps } = runSglang(lines, tight)
    expect(preemptions).toEqual(['14.5: 1 29'])
    // Its prompt stayed in the tree: C's text was evicted instead, which had been used less recently.
    expect(admissions).toEqual(['0: 0 0/10', '2.25: 1 0/20', '4.75: 2 0/6', '27.5: 1 20/30 pass 2'])
    expect(gaps).toContain('28.75: 1 14.25')
    expect(endings).toEqual(['18.5: 2 completed 14', '27.5: 0 completed 24', '41.75: 1 completed 24'])
  })

  it('when its generated text enters the tree too, frees the tree for the decode steps to come', () => {
    const { admissions } = runSglang(lines, { ...tight, keepRetractedText: true })
    expect(admissions.at(-1)).toBe('27.5: 1 0/30 pass 2')
  })

  it('evicts the tree before it retracts', () => {
    const { usedAt, log } = startSglang(
      [
        { at: 0, own: 30, output: 1 },
        { at: 4, own: 10, output: 30 },
      ],
      { totalBlocks: 50 },
    )
    // 30 pages are kept for later hits when the second begins; it takes 39 in the end.
    expect(usedAt(3.8)).toBe(0)
    expect(usedAt(34)).toBe(39)
    expect(log.preemptions).toEqual([])
  })

  it('retracts until there is room for so many decode steps', () => {
    const four = Array.from({ length: 4 }, (_, i) => ({ at: i, own: 8, output: 20 }))
    const memory = { totalBlocks: 64, conservativeness: 0.01 }
    expect(runSglang(four, { ...memory, retractDecodeSteps: 1 }).preemptions.filter(at).length).toBe(1)
    expect(runSglang(four, { ...memory, retractDecodeSteps: 14 }).preemptions.filter(at).length).toBe(2)
    function at(fact: string, _: number, all: string[]): boolean {
      return fact.split(':')[0] === all[0]!.split(':')[0]
    }
  })

  it('fails a request that alone outgrows the memory', () => {
    const { endings } = runSglang([{ at: 0, own: 10, output: 40 }], { totalBlocks: 20 })
    // The first token comes with the prompt; ten more steps fill the other ten pages.
    expect(endings).toEqual([
      '11.25: 0 failed 11 (22 tokens and a page of 1 need more than the 20 tokens of KV memory of the replica)',
    ])
  })

  it('refuses a prompt that could never run, with both numbers', () => {
    const { endings } = runSglang([{ at: 0, own: 20, output: 4 }], { totalBlocks: 20 })
    expect(endings).toEqual([
      '0: 0 rejected 0 (21 tokens and a page of 1 need more than the 20 tokens of KV memory of the replica)',
    ])
  })
})

describe('the radix tree', () => {
  const twice = [
    { at: 0, shared: [[1, 10] as const], own: 3, output: 1 },
    { at: 5, shared: [[1, 10] as const], own: 3, output: 1 },
  ]

  it('hits to the token with pages of one token, and to the page with larger ones', () => {
    expect(runSglang(twice, { blockSize: 1 }).admissions[1]).toBe('5: 1 10/13')
    expect(runSglang(twice, { blockSize: 4 }).admissions[1]).toBe('5: 1 8/13')
  })

  it('computes the last token of a prompt that it has whole', () => {
    const whole = twice.map(({ at }) => ({ at, shared: [[1, 10] as const], output: 1 }))
    expect(runSglang(whole).admissions[1]).toBe('5: 1 9/10')
  })

  it('has a prompt only when its step has ended, and then only once', () => {
    const { usedAt, log } = startSglang(
      [
        { at: 0, shared: [[1, 8]], own: 1, output: 5 },
        { at: 0, shared: [[1, 8]], own: 1, output: 5 },
      ],
      {},
    )
    expect(usedAt(1)).toBe(18)
    // 8 shared pages, 2 of their own, and 2 for the decode step that runs.
    expect(usedAt(2.5)).toBe(12)
    expect(log.admissions).toEqual(['0: 0 0/9', '0: 1 0/9'])
  })

  it('without it everything is computed and nothing is kept', () => {
    expect(runSglang(twice, { prefixCache: false }).admissions[1]).toBe('5: 1 0/13')
  })

  it('evicts the least recently used leaf, whole, and never what a request holds', () => {
    const prompt = (at: number, content: number, tokens: number): SglangLine => ({
      at,
      shared: [[content, tokens]],
      own: 1,
      output: 1,
    })
    const { admissions } = runSglang(
      [
        prompt(0, 1, 10),
        prompt(10, 2, 10),
        prompt(20, 1, 10),
        // 40 pages, of which 11 + 11 + 1 are cached. 21 are needed and 17 free: request 0's own page is the oldest leaf,
        // then 1's, and then the prefix before it, whole. The prefix of 0 and 2 was used more recently.
        prompt(30, 3, 20),
        prompt(40, 1, 10),
        prompt(50, 2, 10),
      ],
      { totalBlocks: 40 },
    )
    expect(admissions.slice(2)).toEqual(['20: 2 10/11', '30: 3 0/21', '40: 4 10/11', '50: 5 0/11'])
  })
})

describe('looking for new requests', () => {
  const lines = [
    { at: 0, own: 8, output: 10 },
    { at: 1.5, own: 8, output: 2 },
    { at: 6.5, own: 8, output: 1 },
  ]

  it('is done at every step, or every so many decode steps and after every prefill batch', () => {
    expect(runSglang(lines).chunks.slice(1)).toEqual(['2: 1 8@0', '7: 2 8@0'])
    // Looked at 1 (after a batch), 5 (four steps), 6 (after a batch) and 10 (four steps).
    expect(runSglang(lines, { receiveInterval: 4 }).chunks.slice(1)).toEqual(['5: 1 8@0', '10: 2 8@0'])
    // At 1, 4 (three steps), 5 (after a batch) and 8 (three steps).
    expect(runSglang(lines, { receiveInterval: 3 }).chunks.slice(1)).toEqual(['4: 1 8@0', '8: 2 8@0'])
  })

  it('an idle engine takes a request up at once', () => {
    expect(runSglang([{ at: 0.5, own: 8, output: 1 }], { receiveInterval: 50 }).chunks).toEqual(['0.5: 0 8@0'])
  })
})

describe('overlapped scheduling', () => {
  it('composes a step when the one before begins, so that an arrival runs in the step after the next', () => {
    const lines = [
      { at: 0, own: 8, output: 10 },
      { at: 1.5, own: 8, output: 1 },
    ]
    expect(runSglang(lines, { overlap: false }).chunks[1]).toBe('2: 1 8@0')
    expect(runSglang(lines, { overlap: true }).chunks[1]).toBe('3: 1 8@0')
  })

  it('lets an ending request take part in one more step, whose token is dropped', () => {
    const { steps, gaps, endings } = runSglang([{ at: 0, own: 8, output: 2 }], { overlap: true })
    expect(endings).toEqual(['2: 0 completed 2'])
    expect(gaps).toEqual(['1: 1 x 1 x 1'])
    expect(steps).toEqual(['0-1: 1 x 0 + 8', '1-2: 1 x 1 + 0', '2-3: 1 x 1 + 0'])
  })

  it('does not when a prefill batch comes next', () => {
    const lines = [
      { at: 0, own: 8, output: 2 },
      { at: 0.5, own: 8, output: 1 },
    ]
    const { steps } = runSglang(lines, { overlap: true })
    expect(steps.slice(0, 3)).toEqual(['0-1: 1 x 0 + 8', '1-2: 1 x 1 + 0', '2-3: 1 x 0 + 8'])
  })
})

describe('options that contradict each other', () => {
  const create =
    (options: Partial<typeof plainSglang>, scheduler = 'fcfs') =>
    () =>
      createSimulation({
        pools: [
          {
            name: 'main',
            role: 'both',
            replicas: 1,
            createEngine: (context) => sglang.create(context, { ...plainSglang, ...options }),
            scheduler: schedulers.get(scheduler)!,
            cost: plainCost(1, 1),
            frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
            startUpSeconds: 0,
          },
        ],
        source: { ...listed([]), tree: createPromptTree() },
        router: routers.get('round-robin')!,
        seed: 1,
      })

  it('are said with what to do', () => {
    expect(create({ chunkedPrefillTokens: 100, blockSize: 16 })).toThrow(/100 is not a multiple of the page size 16/)
    expect(create({ mixedChunk: true })).toThrow(/mixedChunk needs chunkedPrefillTokens/)
    expect(create({ policy: 'lpm' }, 'priority')).toThrow(/take fcfs for one of them/)
  })
})
