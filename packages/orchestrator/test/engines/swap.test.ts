import { describe, expect, it } from 'vitest'
import { type EngineContext, type SwapOptions, vllm } from '../../src/index.ts'
import { type Asked, oneReplica } from '../reference/stepLog.ts'

/** Two requests that both want a third block at 2 s, when one of five is left; the second gives way with 8 computed tokens. */
function pressed(swap: SwapOptions | undefined, second: Partial<Asked> = {}) {
  const asked = [
    { input: 7, output: 6 },
    { input: 7, output: 6, ...second },
  ]
  return oneReplica(asked, (context: EngineContext) =>
    vllm.create(context, {
      maxModelLength: 1000,
      prefixCache: false,
      maxBatchedTokens: 16,
      maxSequences: 4,
      blockSize: 4,
      totalBlocks: 5,
      chunkedPrefill: true,
      longPrefillThreshold: 0,
      reserveFullPrompt: true,
      watermark: 0,
      asyncScheduling: false,
      ...(swap === undefined ? {} : { swap }),
    }),
  )
}

describe('preemption by swap', () => {
  it('copies the KV out and in, each making its step longer, and computes nothing twice', () => {
    const { log, runTo } = pressed({ hostBlocks: 2, secondsPerBlock: 0.25 })
    runTo(100)
    expect(log.preemptions).toEqual(['2: B 8'])
    // Out: 2 blocks, so that the step from 2 s ends at 3.5 s; A ends at 6.5 s. In: the step from there ends at 8 s.
    expect(log.admissions).toEqual(['0: A 0/7', '0: B 0/7', '6.5: B 8/9 again'])
    expect([...log.chunks.values()].flat()).toEqual(['A7', 'B7'])
    expect(log.ends).toEqual(['6.5: A completed 6', '11: B completed 6'])
    expect(log.gaps.filter((gap) => gap !== 1)).toEqual([1.5, 6])
  })

  it('computes the text again where the host has no room', () => {
    const { log, runTo } = pressed({ hostBlocks: 1, secondsPerBlock: 0.25 })
    runTo(100)
    expect(log.admissions.at(-1)).toBe('6: B 0/9 again')
    expect(log.ends).toEqual(['6: A completed 6', '10: B completed 6'])
  })

  it('gives the host blocks back when the client leaves while it waits', () => {
    const { log, runTo } = pressed({ hostBlocks: 2, secondsPerBlock: 0.25 }, { cancelAfter: 5 })
    runTo(100)
    expect(log.ends).toEqual(['5: B cancelled 2', '6.5: A completed 6'])
  })
})
