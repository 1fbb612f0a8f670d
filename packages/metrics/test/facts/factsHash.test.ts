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
