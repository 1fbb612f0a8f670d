import { describe, expect, it } from 'vitest'
import { type EngineContext, type VllmOptions, vllm } from '../src/index.ts'
import { type Asked, oneReplica } from './reference/stepLog.ts'

const usual: VllmOptions = {
  maxModelLength: 4096,
  prefixCache: false,
  maxBatchedTokens: 8192,
  maxSequences: 64,
  blockSize: 16,
  totalBlocks: 128,
  chunkedPrefill: true,
  longPrefillThreshold: 0,
  reserveFullPrompt: true,
  watermark: 0,
  asyncScheduling: true,
}

function start(asked: readonly Asked[], options: Partial<VllmOptions> = {}) {
  return oneReplica(asked, (context: EngineContext) => vllm.create(context, { ...usual, ...options }))
}

function ran(asked: readonly Asked[], options: Partial<VllmOptions> = {}) {
  const run = start(asked, options)
  run.runTo(100_000)
  return run
}

const endings = (ends: readonly string[]): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const end of ends) {
    const ending = end.split(' ')[2]!
    counts[ending] = (counts[ending] ?? 0) + 1
  }
  return counts
}

describe('KV memory', () => {
  it('what can never fit is refused with both numbers, and what comes after it is served', () => {
    const small = { input: 5, output: 50 }
    const asked = [
      ...Array<Asked>(10).fill(small),
      ...Array<Asked>(5).fill({ input: 1002, output: 50, at: 200 }),
      { ...small, at: 201 },
    ]
    const { log } = ran(asked, { totalBlocks: 49 })
    expect(endings(log.ends)).toEqual({ completed: 11, rejected: 5 })
    expect(new Set(log.reasons)).toEqual(
      new Set(['prompt of 1002 tokens needs 63 KV blocks of 16 tokens, the replica has 49']),
    )
  })

  it('a prompt larger than the memory is refused on arrival', () => {
    const { log } = ran([{ input: 3000, output: 10 }])
    expect(log.ends).toEqual(['0: A rejected 0'])
    expect(log.reasons[0]).toMatch(/needs 188 KV blocks.*has 128/)
  })

  it('a text that outgrows the memory alone fails with both numbers, and does not preempt itself for ever', () => {
    const { log } = ran([{ input: 2000, output: 200 }])
    // 128 blocks hold 2048 tokens.
    expect(log.reasons).toEqual(['2049 tokens need 129 KV blocks of 16 tokens, the replica has 128'])
    expect(endings(log.ends)).toEqual({ failed: 1 })
    expect(log.preemptions.length).toBeLessThanOrEqual(1)
  })

  it('prompt and max_tokens together may reach the longest model length, and no further', () => {
    const limits = { maxModelLength: 2048, totalBlocks: 1000 }
    expect(ran([{ input: 8, output: 3, max: 2040 }], limits).log.ends).toEqual(['3: A completed 3'])
    const { log } = ran([{ input: 8, output: 3, max: 2041 }], limits)
    expect(log.ends).toEqual(['0: A rejected 0'])
    expect(log.reasons).toEqual(['prompt of 8 tokens and max_tokens 2041 exceed the maximum model length of 2048'])
  })

  it('two requests that fill the memory and both want to grow are both completed', () => {
    for (const asyncScheduling of [false, true]) {
      const asked = [
        { input: 16, output: 4 },
        { input: 12, output: 4 },
      ]
      const { log } = ran(asked, { blockSize: 4, totalBlocks: 7, asyncScheduling })
      expect(endings(log.ends)).toEqual({ completed: 2 })
      expect(log.preemptions.length).toBeGreaterThan(0)
    }
  })

  it('a preempted request has one first token, and its gaps sum to what is between that and its end', () => {
    const asked = [
      { input: 6, output: 8 },
      { input: 6, output: 8 },
    ]
    const { log } = ran(asked, { blockSize: 4, totalBlocks: 5, asyncScheduling: false })
    expect(log.preemptions).toEqual(['3: B 8'])
    expect(log.firstAt).toEqual({ A: 1, B: 1 })
    expect(log.ends).toEqual(['8: A completed 8', '13: B completed 8'])
    // Seven gaps each: all of a second but one of B's, from its third token at 3 s to its fourth at 9 s.
    expect(log.gaps.length).toBe(14)
    expect(log.gaps.filter((gap) => gap !== 1)).toEqual([6])
  })

  it('overload ends: with a cache for few requests, and with one for hardly any', () => {
    for (const totalBlocks of [999, 49]) {
      const asked = Array.from({ length: 50 }, (_, at) => ({ input: 512, output: 256, at: at / 500 }))
      const run = ran(asked, { totalBlocks })
      expect(endings(run.log.ends)).toEqual({ completed: 50 })
      expect(run.simulation.view().replicas[0]!.usedBlocks).toBe(0)
      expect(run.simulation.stuck?.()).toBeUndefined()
    }
  })
})

describe('classic faults', () => {
  it('prompts that preempt each other do not do so for ever', () => {
    const asked = Array<Asked>(6).fill({ input: 90, output: 30 })
    const options = { blockSize: 4, totalBlocks: 31, maxBatchedTokens: 64, reserveFullPrompt: false }
    for (const asyncScheduling of [false, true]) {
      const { log } = ran(asked, { ...options, asyncScheduling })
      expect(endings(log.ends)).toEqual({ completed: 6 })
    }
  })

  /*
   * Eight tokens a step, prompts whole; five blocks of four. A decodes from 1 on, B from 2 on. At 3 B has nine tokens and needs a third
   * block, while A has three of the five: B goes back, with more text than a step takes. When A ends at 8 nothing can help B.
   */
  it('a preempted text that no step can compute whole does not wait for ever', () => {
    const asked = [
      { input: 7, output: 8 },
      { input: 7, output: 10 },
    ]
    const options = {
      maxBatchedTokens: 8,
      maxSequences: 4,
      blockSize: 4,
      totalBlocks: 5,
      chunkedPrefill: false,
      asyncScheduling: false,
    }
    const { log, simulation } = ran(asked, options)
    expect(log.ends).toEqual(['8: A completed 8', '8: B failed 2'])
    expect(log.reasons).toEqual(['9 tokens exceed the 8 of one step, and prompts are computed whole'])
    expect(simulation.stuck?.()).toBeUndefined()
  })

  it('a timer of a request that has ended does not hit the one that took its place', () => {
    const asked = [
      { input: 4, output: 2, cancelAfter: 6, timeout: 7 },
      { input: 4, output: 20, at: 3 },
    ]
    expect(ran(asked).log.ends).toEqual(['2: A completed 2', '23: B completed 20'])
  })

  it('nothing is told of a request after its deadline, and it does not count as done', () => {
    const run = ran([
      { input: 4, output: 50, timeout: 4.5 },
      { input: 4, output: 8 },
    ])
    expect(run.log.ends).toEqual(['4.5: A timedOut 4', '8: B completed 8'])
    expect(run.simulation.view()).toMatchObject({ completed: 1, timedOut: 1 })
    // A had 4 tokens by 4.5 s, B has 8: 3 + 7 gaps, and those of the steps in which A was still in the batch.
    expect(run.log.gaps.length).toBeLessThanOrEqual(3 + 7 + 2)
  })

  it('all blocks are free when all requests have ended, however they did', () => {
    const asked: Asked[] = [
      { input: 40, output: 30, text: [[1, 32]] },
      { input: 40, output: 30, cancelAfter: 3.5, text: [[1, 32]] },
      { input: 40, output: 30, timeout: 0.5, text: [[1, 32]] },
      { input: 40, output: 30, max: 99, text: [[2, 20]] },
      { input: 40, output: 1, cancelAfter: 1 },
    ]
    for (const asyncScheduling of [false, true])
      for (const prefixCache of [false, true]) {
        const run = ran(asked, { totalBlocks: 12, asyncScheduling, prefixCache })
        expect(run.log.ends.length).toBe(5)
        expect(run.simulation.view().replicas[0]!.usedBlocks).toBe(0)
      }
  })

  it('a prompt that is cached to its last block computes that block again, not zero tokens', () => {
    const text = [[1, 32]] as const
    const asked = Array.from({ length: 3 }, (_, at) => ({ input: 32, output: 2, at: at * 5, text }))
    const { log } = ran(asked, { prefixCache: true })
    expect([...log.chunks.values()].flat()).toEqual(['A32', 'B16', 'C16'])
    expect(endings(log.ends)).toEqual({ completed: 3 })
  })
})
