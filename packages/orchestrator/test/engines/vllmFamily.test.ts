import { describe, expect, it } from 'vitest'
import { type EngineContext, orca, sarathi, trtllm, vllm } from '../../src/index.ts'
import { oneReplica } from '../reference/stepLog.ts'

const limits = { maxModelLength: 1000, prefixCache: false }

describe('six requests, batch by batch and block by block', () => {
  it('under vllm: running first, chunks in what the budget leaves, blocks as tokens come', () => {
    const options = {
      ...limits,
      maxBatchedTokens: 8,
      maxSequences: 3,
      blockSize: 4,
      totalBlocks: 8,
      chunkedPrefill: true,
      longPrefillThreshold: 0,
      reserveFullPrompt: true,
      watermark: 0,
      asyncScheduling: false,
    }
    const { log, usedIn, runTo } = oneReplica(
      [
        { input: 6, output: 6 },
        { input: 10, output: 5 },
        { input: 5, output: 3 },
        { input: 4, output: 2 },
        { input: 7, output: 2 },
        { input: 3, output: 1 },
      ],
      (context) => vllm.create(context, options),
    )
    // A takes 2 blocks, a third with its 9th token (step 3); B 1, 3, and a fourth with its 13th (step 5); C 2; D waits for a
    // place until C has ended, takes 1 and a second at once; E 2; F 1.
    expect(usedIn(9)).toEqual([3, 5, 7, 8, 8, 8, 8, 3, 2])
    runTo(100)
    expect(log.steps).toEqual([
      '0 + A6 B2',
      '1 + B7',
      '1 + B1 C5',
      '3 +',
      '3 +',
      '2 + D4',
      '2 + E6',
      '0 + E1 F3',
      '1 +',
    ])
    expect(log.firstAt).toEqual({ A: 1, B: 3, C: 3, D: 6, E: 8, F: 8 })
    expect(log.ends).toEqual([
      '5: C completed 3',
      '6: A completed 6',
      '7: B completed 5',
      '7: D completed 2',
      '8: F completed 1',
      '9: E completed 2',
    ])
    expect(log.preemptions).toEqual([])
  })

  it('under orca: whole prompts, and room for the longest text of each from its admission on', () => {
    const { log, usedIn, runTo } = oneReplica(
      [
        { input: 10, output: 3 },
        { input: 5, output: 2 },
        { input: 20, output: 4 },
        { input: 4, output: 5 },
        { input: 8, output: 1 },
        { input: 6, output: 2 },
      ],
      (context) => orca.create(context, { ...limits, maxSequences: 3, blockSize: 1, totalBlocks: 40 }),
    )
    // A 13, B 7, C 24, D 9, E 9, F 8 blocks: C waits for B, E for C.
    expect(usedIn(8)).toEqual([20, 20, 37, 33, 33, 33, 26, 17])
    runTo(100)
    expect(log.steps).toEqual(['0 + A10 B5', '2 +', '1 + C20', '1 + D4', '2 +', '2 +', '1 + E8 F6', '2 +'])
    expect(log.firstAt).toEqual({ A: 1, B: 1, C: 3, D: 4, E: 7, F: 7 })
    expect(log.ends).toEqual([
      '2: B completed 2',
      '3: A completed 3',
      '6: C completed 4',
      '7: E completed 1',
      '8: D completed 5',
      '8: F completed 2',
    ])
  })

  it('under sarathi: decodes first in a fixed budget, the blocks of a whole prompt at its admission', () => {
    const { log, usedIn, runTo } = oneReplica(
      [
        { input: 10, output: 3 },
        { input: 6, output: 2 },
        { input: 5, output: 3 },
        { input: 3, output: 2 },
        { input: 12, output: 2 },
        { input: 2, output: 1 },
      ],
      (context) =>
        sarathi.create(context, {
          ...limits,
          maxSequences: 4,
          tokenBudget: 8,
          blockSize: 4,
          totalBlocks: 12,
          watermark: 0,
        }),
    )
    expect(usedIn(7)).toEqual([3, 5, 8, 9, 6, 4, 4])
    runTo(100)
    expect(log.steps).toEqual(['0 + A8', '0 + A2 B6', '2 + C5 D1', '2 + D2 E4', '2 + E6', '0 + E2 F2', '1 +'])
    expect(log.firstAt).toEqual({ A: 2, B: 2, C: 3, D: 4, E: 6, F: 6 })
    expect(log.ends).toEqual([
      '3: B completed 2',
      '4: A completed 3',
      '5: C completed 3',
      '5: D completed 2',
      '6: F completed 1',
      '7: E completed 2',
    ])
  })

  it('under trtllm: nobody comes in unless all can run to their limits, although they end before them', () => {
    const { log, usedIn, runTo } = oneReplica(
      [
        { input: 8, output: 3, max: 8 },
        { input: 4, output: 4, max: 12 },
        { input: 10, output: 2, max: 10 },
        { input: 3, output: 1, max: 1 },
        { input: 6, output: 6, max: 6 },
        { input: 4, output: 2, max: 4 },
      ],
      (context) =>
        trtllm.create(context, {
          ...limits,
          maxSequences: 8,
          maxBatchedTokens: 64,
          blockSize: 4,
          totalBlocks: 12,
          chunkedPrefill: false,
          capacity: 'noEvict',
          overlap: false,
        }),
    )
    // At most A 4, B 4, C 5, D 1, E 3, F 2 blocks: C waits for A, E for B and D.
    expect(usedIn(10)).toEqual([3, 5, 5, 6, 6, 4, 2, 3, 3, 3])
    runTo(100)
    expect(log.steps.slice(0, 7)).toEqual(['0 + A8 B4', '2 +', '2 +', '1 + C10 D3', '1 + E6 F4', '2 +', '1 +'])
    expect(log.firstAt).toEqual({ A: 1, B: 1, C: 4, D: 4, E: 5, F: 5 })
    expect(log.ends).toEqual([
      '3: A completed 3',
      '4: B completed 4',
      '4: D completed 1',
      '5: C completed 2',
      '6: F completed 2',
      '10: E completed 6',
    ])
  })
})

describe('memory that runs out', () => {
  const asked = Array.from({ length: 6 }, () => ({ input: 8, output: 24 }))
  const create = (capacity: 'noEvict' | 'evict') => (context: EngineContext) =>
    trtllm.create(context, {
      ...limits,
      maxSequences: 8,
      maxBatchedTokens: 64,
      blockSize: 4,
      totalBlocks: 20,
      chunkedPrefill: false,
      capacity,
      overlap: true,
    })

  it('evicts the last admitted where admission looks at the present only', () => {
    const { log, runTo } = oneReplica(asked, create('evict'))
    runTo(1000)
    expect(log.preemptions.length).toBeGreaterThan(0)
    expect(log.ends.length).toBe(6)
  })

  it('never does where admission looks at the limits', () => {
    const { log, runTo } = oneReplica(asked, create('noEvict'))
    runTo(1000)
    // Two requests of at most 8 blocks each fit into 20.
    expect(log.preemptions).toEqual([])
    expect(Math.max(...log.decodes.values())).toBe(2)
    expect(log.ends.length).toBe(6)
  })

  it('is refused on arrival, with both numbers, what could never run to its limit', () => {
    const { log, runTo } = oneReplica([{ input: 8, output: 1, max: 80 }], create('noEvict'))
    runTo(10)
    expect(log.reasons).toEqual([
      'prompt of 8 tokens and max_tokens 80 need 22 KV blocks of 4 tokens, the replica has 20',
    ])
  })

  it('says which options contradict each other', () => {
    const { simulation } = oneReplica([], create('evict'))
    expect(simulation.view().replicas.length).toBe(1)
    const of = (capped: object) => () =>
      oneReplica([], (context) =>
        orca.create(context, { ...limits, maxSequences: 1, blockSize: 1, totalBlocks: 1, ...capped }),
      )
    expect(of({ prefixCache: true })).toThrow('orca has no prefix cache')
  })
})
