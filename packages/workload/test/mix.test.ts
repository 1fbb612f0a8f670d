import { type Time, timeFromSeconds, toSeconds, zeroTime } from '@windtunnel/des'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  CannotSteer,
  emptyDraft,
  feed,
  type MixableSource,
  type RequestDraft,
  type StreamSpec,
  syntheticSource,
  TraceReader,
  TraceSource,
} from '../src/index.ts'

const fixed = (tokens: number) => ({ name: 'fixed', tokens })
const poisson = (requestsPerSecond: number) => ({ name: 'poisson', requestsPerSecond })
const drawn = { name: 'lognormal', mean: 200, cv: 1 }
const single = { name: 'single', input: drawn, output: drawn }
const stream = (tenant: number, requestsPerSecond: number, structure: object = single): StreamSpec =>
  ({ arrivals: poisson(requestsPerSecond), structure, tenant }) as StreamSpec

const names = ['chat', 'code', 'bulk']
const three = (seed = 1) =>
  syntheticSource({ seed, names, streams: [stream(0, 6), stream(1, 3), stream(2, 1)], untilSeconds: 2000 })

const take = (source: MixableSource): RequestDraft => {
  const draft = { ...emptyDraft(), arrival: zeroTime() }
  source.take(draft)
  return draft
}
/** Takes everything up to `until` seconds; a command then takes effect at that time. */
const takeUntil = (source: MixableSource, until: number): RequestDraft[] => {
  const at: Time = zeroTime()
  const taken: RequestDraft[] = []
  while (source.peek(at) && toSeconds(at) <= until) taken.push(take(source))
  return taken
}
const readerOf = (text: string): TraceReader => {
  const reader = new TraceReader({ times: 'optional' })
  reader.push(text)
  reader.end()
  return reader
}
const ofTenant = (drafts: readonly RequestDraft[], tenant: number) =>
  drafts
    .filter((draft) => draft.tenant === tenant)
    .map(({ arrival, inputTokens, outputTokens }) => [arrival, inputTokens, outputTokens])
const shares = (source: MixableSource) => Object.fromEntries(source.mix.streams.map(({ name, share }) => [name, share]))

describe('the mix of several streams', () => {
  it('says the share of each stream of all arrivals', () => {
    expect(shares(three())).toEqual({ chat: 0.6, code: 0.3, bulk: 0.1 })
  })

  it('changes the shares and keeps the rate of all arrivals together', () => {
    const source = three()
    takeUntil(source, 100)
    source.setMix({ weights: { chat: 1, code: 1, bulk: 2 } }, timeFromSeconds(100))
    expect(source.meanRate).toBeCloseTo(10, 9)
    expect(shares(source)).toEqual({ chat: 0.25, code: 0.25, bulk: 0.5 })
    const after = takeUntil(source, 1900)
    // 1,800 s at 10 a second: 18,000 arrivals with a standard deviation of 134, of which 2.5, 2.5 and 5 a second.
    expect(Math.abs(after.length - 18_000)).toBeLessThan(5 * 134)
    for (const [tenant, expected] of [4500, 4500, 9000].entries())
      expect(Math.abs(ofTenant(after, tenant).length - expected)).toBeLessThan(5 * Math.sqrt(expected))
  })

  it('is what a later change of the rate keeps', () => {
    const source = three()
    source.setMix({ weights: { chat: 0, code: 1, bulk: 3 } }, zeroTime())
    source.setRate(20, timeFromSeconds(0))
    expect(shares(source)).toEqual({ chat: 0, code: 0.25, bulk: 0.75 })
    expect(ofTenant(takeUntil(source, 50), 0)).toEqual([])
    source.setMix({ weights: { chat: 1, code: 1, bulk: 0 } }, timeFromSeconds(50))
    const after = takeUntil(source, 150)
    expect(ofTenant(after, 0).length).toBeGreaterThan(900)
    expect(ofTenant(after, 2)).toEqual([])
  })

  it('leaves a stream whose rate stays as it was: the same arrivals, the same draws, to the tick', () => {
    const [changed, untouched] = [three(), three()]
    for (const source of [changed, untouched]) takeUntil(source, 70)
    // Of 10 a second bulk keeps 1, in weights whose sum is not a round number.
    changed.setMix({ weights: { chat: 7 / 3, code: 20 / 3, bulk: 1 } }, timeFromSeconds(70))
    expect(ofTenant(takeUntil(changed, 1500), 2)).toEqual(ofTenant(takeUntil(untouched, 1500), 2))
  })

  it('gives each stream the lengths that it would have drawn: only their times move', () => {
    fc.assert(
      fc.property(
        fc.nat(1000),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 3, maxLength: 3 }),
        (seed, weights) => {
          const [changed, untouched] = [three(seed), three(seed)]
          changed.setMix({ weights: Object.fromEntries(names.map((name, i) => [name, weights[i]!])) }, zeroTime())
          const [a, b] = [takeUntil(changed, 60), takeUntil(untouched, 60)]
          for (const tenant of [0, 1, 2]) {
            const [here, there] = [a, b].map((drafts) => ofTenant(drafts, tenant).map(([, ...lengths]) => lengths))
            const both = Math.min(here!.length, there!.length)
            expect(here!.slice(0, both)).toEqual(there!.slice(0, both))
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('refuses weights that are not one for each stream, and changes nothing', () => {
    const source = three()
    const set = (weights: Record<string, number>) => () => source.setMix({ weights, promptScale: 2 }, zeroTime())
    expect(set({ chat: 1, code: 1 })).toThrow('found none for bulk')
    expect(set({ chat: 1, code: 1, bluk: 1 })).toThrow('Did you mean bulk?')
    expect(set({ chat: 1, code: -1, bulk: 1 })).toThrow('at least 0 for code, found -1')
    expect(set({ chat: 0, code: 0, bulk: 0 })).toThrow(CannotSteer)
    expect(set({ chat: 1, code: Number.NaN, bulk: 1 })).toThrow(CannotSteer)
    expect(() => source.setMix({ weights: { chat: 1, code: 1, bulk: 1 }, promptScale: 0 }, zeroTime())).toThrow(
      '0.01 to 100',
    )
    expect(source.mix).toEqual(three().mix)
  })

  it('refuses shares of a closed loop, and scales its lengths', () => {
    const source = syntheticSource({
      seed: 1,
      names: ['open', 'users'],
      streams: [
        stream(0, 1),
        { arrivals: { name: 'closedLoop', users: 2 }, structure: single, tenant: 1 } as StreamSpec,
      ],
    })
    expect(shares(source)).toEqual({ open: undefined, users: undefined })
    expect(() => source.setMix({ weights: { open: 1, users: 1 } }, zeroTime())).toThrow(
      'The stream users is a closed loop',
    )
    source.setMix({ outputScale: 3 }, zeroTime())
    expect(source.mix.outputScale).toBe(3)
  })
})

describe('the lengths of the mix', () => {
  it('scales prompts and outputs that are drawn later, and moves no arrival', () => {
    const of = () => syntheticSource({ seed: 4, streams: [stream(0, 5)] })
    const [changed, untouched] = [of(), of()]
    for (const source of [changed, untouched]) takeUntil(source, 20)
    changed.setMix({ promptScale: 2, outputScale: 0.5 }, timeFromSeconds(20))
    const [a, b] = [takeUntil(changed, 120), takeUntil(untouched, 120)]
    expect(a.length).toBeGreaterThan(400)
    expect(a.map(({ arrival }) => arrival)).toEqual(b.map(({ arrival }) => arrival))
    expect(a.map(({ inputTokens }) => inputTokens)).toEqual(b.map(({ inputTokens }) => 2 * inputTokens))
    expect(a.map(({ outputTokens }) => outputTokens)).toEqual(
      b.map(({ outputTokens }) => Math.max(1, Math.round(outputTokens / 2))),
    )
    changed.setMix({ promptScale: 1, outputScale: 1 }, timeFromSeconds(120))
    expect(takeUntil(changed, 200)).toEqual(takeUntil(untouched, 200))
  })

  it('keeps what prompts share: a prefix stays, the text after it scales', () => {
    const structure = { name: 'sharedPrefix', groups: 1, prefix: fixed(1000), input: fixed(50), output: fixed(10) }
    const source = syntheticSource({ seed: 1, streams: [stream(0, 5, structure)] })
    source.setMix({ promptScale: 3 }, zeroTime())
    expect(take(source)).toMatchObject({ inputTokens: 1150, outputTokens: 10 })
  })

  it('scales the turns of conversations that go on, not what was said', () => {
    const structure = {
      name: 'sessions',
      turns: fixed(3),
      input: fixed(100),
      output: fixed(20),
      thinkSeconds: 1,
      think: 'fixed',
    }
    const source = syntheticSource({
      seed: 1,
      streams: [{ ...stream(0, 1, structure), arrivals: { name: 'allAtOnce', requests: 1 } }],
    })
    const first = take(source)
    expect([first.inputTokens, first.outputTokens]).toEqual([100, 20])
    source.setMix({ promptScale: 2, outputScale: 3 }, timeFromSeconds(1))
    source.ended(first.tag, 'completed', timeFromSeconds(2))
    const second = take(source)
    expect([second.inputTokens, second.outputTokens]).toEqual([120 + 200, 60])
  })

  it('scales measured pairs, thinking and answers', () => {
    const samples = { name: 'samples', samples: [{ inputTokens: 300, outputTokens: 40 }] }
    const reasoning = { name: 'reasoning', input: fixed(10), thinking: fixed(100), answer: fixed(10) }
    const lengths = (structure: object) => {
      const source = syntheticSource({ seed: 1, streams: [stream(0, 5, structure)] })
      source.setMix({ promptScale: 0.1, outputScale: 2 }, zeroTime())
      const { inputTokens, outputTokens } = take(source)
      return [inputTokens, outputTokens]
    }
    expect(lengths(samples)).toEqual([30, 80])
    expect(lengths(reasoning)).toEqual([1, 220])
  })

  it('of a trace scales what is not known text, and leaves what prompts share as recorded', () => {
    const rows = ['arrival_s,input_tokens,output_tokens,session,after_s', '0,100,10,,', '1,40,8,a,', ',60,8,a,1'].join(
      '\n',
    )
    const source = new TraceSource({ seed: 1 })
    feed(source, readerOf(rows))
    source.setMix({ promptScale: 2, outputScale: 4 })
    expect(take(source)).toMatchObject({ inputTokens: 200, outputTokens: 40 })
    expect(take(source)).toMatchObject({ inputTokens: 40, outputTokens: 8 })
    expect(() => source.setMix({ weights: { chat: 1 } })).toThrow('trace')
  })
})

describe('the recorded rate of a trace', () => {
  it('does not depend on how far the reader has come: a change of the rate means the same when it is replayed', () => {
    const lines = ['arrival_s,input_tokens,output_tokens']
    // Ten rows a second apart, then a hundred of them a tenth of a second apart.
    for (let i = 0; i < 10; i++) lines.push(`${i},10,1`)
    for (let i = 1; i <= 100; i++) lines.push(`${9 + i / 10},10,1`)
    const source = new TraceSource({ seed: 1, bufferRows: 10 })
    const reader = readerOf(lines.join('\n'))
    feed(source, reader)
    expect(source.meanRate).toBe(1)
    for (let taken = 0; taken < 50; taken++) {
      take(source)
      feed(source, reader)
    }
    expect(source.meanRate).toBe(1)
    source.setRate(2, timeFromSeconds(13))
    expect(source.meanRate).toBe(2)
  })
})
