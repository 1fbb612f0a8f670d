import { describe, expect, it } from 'vitest'
import { type EngineContext, vllm } from '../../src/index.ts'
import { oneReplica } from '../reference/stepLog.ts'

/** A and C share 12 tokens, three blocks; B, between them, needs all four blocks of the device. */
function evicting(hostBlocks: number | undefined) {
  const text = [[1, 12]] as const
  const asked = [
    { input: 13, output: 1, text },
    { input: 13, output: 1, at: 1 },
    { input: 13, output: 1, text, at: 2 },
    { input: 13, output: 1, text, at: 5 },
  ]
  return oneReplica(asked, (context: EngineContext) =>
    vllm.create(context, {
      maxModelLength: 1000,
      prefixCache: true,
      maxBatchedTokens: 16,
      maxSequences: 4,
      blockSize: 4,
      totalBlocks: 4,
      chunkedPrefill: true,
      longPrefillThreshold: 0,
      reserveFullPrompt: true,
      watermark: 0,
      asyncScheduling: false,
      ...(hostBlocks === undefined ? {} : { hostCache: { blocks: hostBlocks, secondsPerBlock: 0.25 } }),
    }),
  )
}

describe('a tier of the prefix cache on the host', () => {
  it('keeps evicted text and copies it back, which makes the step longer', () => {
    const { log, runTo } = evicting(10)
    runTo(100)
    expect(log.admissions).toEqual(['0: A 0/13', '1: B 0/13', '2: C 12/13', '5: D 12/13'])
    // Three blocks in 0.75 s; for D they are on the device again.
    expect(log.firstAt).toEqual({ A: 1, B: 2, C: 3.75, D: 6 })
    expect([...log.chunks.values()].flat()).toEqual(['A13', 'B13', 'C1', 'D1'])
  })

  it('loses the deepest blocks first where it has no room for all', () => {
    const { log, runTo } = evicting(2)
    runTo(100)
    expect(log.admissions[2]).toBe('2: C 8/13')
    expect(log.firstAt['C']).toBe(3.5)
  })

  it('is of no effect when there is none', () => {
    const { log, runTo } = evicting(undefined)
    runTo(100)
    expect(log.admissions[2]).toBe('2: C 0/13')
  })
})
