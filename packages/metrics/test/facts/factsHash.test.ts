import { describe, expect, it } from 'vitest'
import { ENDINGS } from '../../src/facts/ending.ts'
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
    expect(hash.digest()).toBe('429e4d1eb686a073')
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

  it('tells every field of every fact from every other: none can be swapped or left out', () => {
    const tell = (n: readonly number[]): string => {
      const hash = new FactsHash()
      hash.arrived(n[0]!, 1.5, n[1]!, n[2]!, n[3]!, n[4]!)
      hash.routed(n[0]!, 1.5, n[5]!)
      hash.admitted(n[0]!, 2, n[5]!, n[6]!, 0, n[7]!)
      hash.preempted(n[0]!, 2.5, n[8]!)
      hash.transferred(n[0]!, 3, n[9]!, n[10]!)
      hash.ended(n[0]!, 4, 'completed', n[11]!)
      return hash.digest()
    }
    const plain = Array.from({ length: 12 }, (_, field) => 3 * field + 1)
    const told = new Set([tell(plain)])
    for (let one = 0; one < plain.length; one++) {
      told.add(tell(plain.with(one, 0)))
      told.add(tell(plain.with(one, plain[one]! + 1)))
      for (let other = 0; other < one; other++) {
        told.add(tell(plain.with(one, plain[other]!).with(other, plain[one]!)))
      }
    }
    expect(told.size).toBe(1 + 2 * 12 + (12 * 11) / 2)
  })

  it('tells any two neighbouring times apart in each of two facts, and -0 from 0', () => {
    const at = (first: number, second: number): string => {
      const hash = new FactsHash()
      hash.firstToken(0, first)
      hash.firstToken(1, second)
      return hash.digest()
    }
    const told = new Set<string>()
    for (let one = 0; one < 100; one++) {
      for (let other = 0; other < 100; other++) told.add(at(1 + one * 2 ** -52, 700 + other * 2 ** -43))
    }
    expect(told.size).toBe(10_000)
    expect(at(-0, 1)).not.toBe(at(0, 1))
  })

  it('tells the kind of a fact and the ending', () => {
    const told = new Set<string>()
    const one = (tell: (hash: FactsHash) => void): void => {
      const hash = new FactsHash()
      tell(hash)
      told.add(hash.digest())
    }
    one((hash) => hash.firstToken(1, 2))
    one((hash) => hash.routed(1, 2, 0))
    one((hash) => hash.preempted(1, 2, 0))
    one((hash) => hash.transferred(1, 2, 0, 0))
    one((hash) => hash.admitted(1, 2, 0, 0, 0, 0))
    one((hash) => hash.arrived(1, 2, 0, 0, 0, 0))
    for (const ending of ENDINGS) one((hash) => hash.ended(1, 2, ending, 0))
    expect(told.size).toBe(6 + 5)
  })

  it('uses both of its halves: of 40,000 stories that differ in two numbers, hardly two agree in 32 bits', () => {
    const whole = new Set<string>()
    const upper = new Set<string>()
    const lower = new Set<string>()
    for (let input = 0; input < 200; input++) {
      for (let output = 0; output < 200; output++) {
        const hash = new FactsHash()
        hash.arrived(0, 1.5, input, output, 0, 0)
        hash.routed(0, 1.5, 0)
        const digest = hash.digest()
        whole.add(digest)
        upper.add(digest.slice(0, 8))
        lower.add(digest.slice(8))
      }
    }
    expect(whole.size).toBe(40_000)
    expect(upper.size).toBeGreaterThan(39_990)
    expect(lower.size).toBeGreaterThan(39_990)
  })

  it('depends on its own facts alone: not on other hashes, on when it is read, or on how many tokens were asked for', () => {
    const other = new FactsHash()
    const disturbed = story((hash) => {
      other.arrived(3, 0.5, 7, 7, 7, 7)
      hash.digest()
    })
    expect(disturbed).toBe(story())
    const asked = (queried: number): string => {
      const hash = new FactsHash()
      hash.admitted(0, 2, 2, 16, queried, 0)
      return hash.digest()
    }
    expect(asked(100)).toBe(asked(400))
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
