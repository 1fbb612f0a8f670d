import { describe, expect, it } from 'vitest'
import { FactsHash } from '../../src/facts/factsHash.ts'

const story = (change: (hash: FactsHash) => void = () => {}, time = 1.5): string => {
  const hash = new FactsHash()
  hash.arrived(0, time, 100, 10, 0, 0)
  hash.routed(0, time, 2)
  change(hash)
  hash.admitted(0, 2, 2, 16, 100, 0)
  hash.firstToken(0, 2.25)
  hash.ended(0, 3, 'completed', 10)
  return hash.digest()
}

describe('the hash over facts', () => {
  it('is 16 hexadecimal digits and repeats', () => {
    expect(story()).toMatch(/^[0-9a-f]{16}$/)
    expect(story()).toBe(story())
  })

  it('stays the hash that it was: people keep it next to their results', () => {
    const hash = new FactsHash()
    hash.arrived(7, 0.1, 512, 128, 1, 3)
    hash.routed(7, 0.1, 2)
    hash.admitted(7, 0.25, 2, 16, 512, 0)
    hash.firstToken(7, 1 / 3)
    hash.preempted(7, 700.7, 2)
    hash.transferred(7, 701, 2, 4)
    hash.ended(7, 1e6 + 0.1, 'completed', 128)
    for (const ending of ['rejected', 'failed', 'cancelled', 'timedOut'] as const)
      hash.ended(2 ** 31 + 5, 2e6, ending, 0)
    expect(hash.digest()).toBe('17a74ee01f0f4c96')
  })

  it('sees a last bit of a time, one more fact, and the order of two', () => {
    expect(story(undefined, 1.5 + 2 ** -52)).not.toBe(story())
    expect(story((hash) => hash.preempted(0, 2, 2))).not.toBe(story())
    const there = story((hash) => {
      hash.routed(1, 2, 0)
      hash.routed(2, 2, 0)
    })
    const back = story((hash) => {
      hash.routed(2, 2, 0)
      hash.routed(1, 2, 0)
    })
    expect(there).not.toBe(back)
  })

  it('does not see steps, decode runs, chunks or evictions', () => {
    const noisy = story((hash) => {
      hash.decodeRun(0, 1, 5, 3, 1000, 1)
      hash.stepped(0, 1, 2, 5, 3, 0, 99, 3)
      hash.prefillChunk(0, 1, 0, 5, 0)
      hash.evicted(0, 1, 4)
      hash.tokenGap(0, 1, 7)
    })
    expect(noisy).toBe(story())
  })
})
