import { describe, expect, it } from 'vitest'
import { type SglangLine, startSglang } from '../reference/sglangTimeline.ts'

/**
 * Six requests on 16 pages of 4 tokens, chunks of 16 tokens, at most 4 requests at once. S is a prefix of 8 tokens (2 pages).
 *
 *  time    batch                        pages in use and why
 *  0       A 12 + B 4 of 12 (cut)       A 3, B 1 = 4
 *  2       B 8 + C 8 of 20 (cut)        A's 3 are in the tree (S 2, own 1); B gave its copy of S's first page back; B 2 + C 2: 7
 *  4       C 12 + D 4 of 5 after S      B gave S's second page back: 6; C 3, D 1: 10
 *  6       D 1; E is the fifth: full    11
 *  6.125   decode A B C D               A, B and C begin a page: 14; C ends: its 5 pages stay in the tree
 *  7.125   decode A B D                 8; E needs 24 + 10 + 4 = 38, there are 32 less the forecast; B ends
 *  8.125   decode A D                   6; 40 less 0.7 * 4 is too little; A ends
 *  9.125   E 16 of 24 (cut)             48 less 0.7 * 2 is enough; D holds 4, E 4: 8
 *  11.125  E 8                          1 page is free: C's 5 go, the least recently used; 10; F needs 20: full
 *  12.125  decode D E                   both begin a page: 12
 *  13.125  decode D E                   12; D ends
 *  14.125  F 4 after S                  E 7, S 2, F 1: 10
 *  14.625  decode E F, 7 steps          F begins a page at once and in the 5th step, E in the 3rd and 7th: 11, 12, 13, 14;
 *                                       for the last two, B's page and then A's are evicted; E ends
 *  21.625  decode F, 4 steps            5, and 6 from the second step on
 */
const S = [1, 8] as const
const LINES: readonly SglangLine[] = [
  { at: 0, shared: [S], own: 4, output: 4 },
  { at: 0, shared: [S], own: 4, output: 3 },
  { at: 0, own: 20, output: 2 },
  { at: 3, shared: [S], own: 5, output: 6 },
  { at: 5, own: 24, output: 10 },
  { at: 10, shared: [S], own: 4, output: 12 },
]
const OPTIONS = { blockSize: 4, totalBlocks: 16, chunkedPrefillTokens: 16, maxPrefillTokens: 100, maxSequences: 4 }

describe('six requests on an SGLang replica, worked by hand', () => {
  const { log, runTo } = startSglang(LINES, OPTIONS)
  runTo(100)

  it('forms these prefill batches', () => {
    expect(log.chunks).toEqual([
      '0: 0 12@0',
      '0: 1 4@0',
      '2: 1 8@4',
      '2: 2 8@0',
      '4: 2 12@8',
      '4: 3 4@8',
      '6: 3 1@12',
      '9.125: 4 16@0',
      '11.125: 4 8@16',
      '14.125: 5 4@8',
    ])
  })

  it('admits in this order, with these hits', () => {
    expect(log.admissions).toEqual([
      '0: 0 0/12',
      '0: 1 0/12',
      '2: 2 0/20',
      '4: 3 8/13',
      '9.125: 4 0/24',
      '14.125: 5 8/12',
    ])
  })

  it('decodes between prefill batches, and gaps last as long as the batches between', () => {
    expect(log.gaps).toEqual([
      // D went on at once; A waited since 2, B since 4, C since 6.
      '6.125: 1 x 1 x 1',
      '7.125: 0 5.125',
      '7.125: 1 3.125',
      '7.125: 2 1.125',
      '7.125: 1 x 3 x 1',
      '8.125: 1 x 2 x 1',
      // D waited while E was prefilled.
      '9.125: 1 x 1 x 4',
      '12.125: 1 x 1 x 1',
      '13.125: 1 x 2 x 1',
      // E waited while F was.
      '14.125: 1 x 1 x 1.5',
      '14.625: 1 x 1 x 1',
      '15.625: 6 x 2 x 1',
      '21.625: 4 x 1 x 1',
    ])
  })

  it('ends the requests at these times', () => {
    expect(log.firstAt).toEqual([2, 4, 6, 6.125, 12.125, 14.625])
    expect(log.endings).toEqual([
      '7.125: 2 completed 2',
      '8.125: 1 completed 3',
      '9.125: 0 completed 4',
      '14.125: 3 completed 6',
      '21.625: 4 completed 10',
      '25.625: 5 completed 12',
    ])
  })

  it('holds these pages', () => {
    const expected: readonly (readonly [number, number])[] = [
      [1, 4],
      [3, 7],
      [5, 10],
      [6.0625, 11],
      [7, 14],
      [8, 8],
      [9, 6],
      [10, 8],
      [12, 10],
      [13, 12],
      [14, 12],
      [14.5, 10],
      [15, 11],
      [17, 12],
      [19, 13],
      [21, 14],
      [22, 5],
      [23, 6],
      [26, 0],
    ]
    const { usedAt } = startSglang(LINES, OPTIONS)
    expect(expected.map(([time]) => [time, usedAt(time)])).toEqual(expected)
  })
})
