import { type Time, timeFromSeconds, toSeconds, zeroTime } from '@windtunnel/des'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  emptyDraft,
  feed,
  type RequestDraft,
  readTrace,
  TraceReader,
  TraceSource,
  type TraceSourceOptions,
  TraceStarved,
} from '../src/index.ts'

const AT = (seconds: number) => `2023-11-16 18:17:${seconds.toFixed(7).padStart(10, '0')}`
const azure = (...seconds: number[]) =>
  ['TIMESTAMP,ContextTokens,GeneratedTokens', ...seconds.map((at, i) => `${AT(at)},${i + 1},1`)].join('\n')

function sourceOf(
  text: string,
  options: Partial<TraceSourceOptions> = {},
  reader = new TraceReader({ times: 'optional', order: 'any' }),
): TraceSource {
  const source = new TraceSource({ seed: 1, ...options })
  reader.push(text)
  reader.end()
  feed(source, reader)
  return source
}

function take(source: TraceSource): RequestDraft {
  const draft = emptyDraft()
  expect(source.peek(zeroTime())).toBe(true)
  source.take(draft)
  return draft
}

function all(source: TraceSource): [number, number][] {
  const rows: [number, number][] = []
  while (source.peek(zeroTime())) {
    const draft = take(source)
    rows.push([toSeconds(draft.arrival), draft.inputTokens])
  }
  return rows
}

describe('replaying a trace', () => {
  it('begins at 0 and keeps distances; rows of one instant arrive together in file order', () => {
    expect(all(sourceOf(azure(3, 3, 3, 3, 4.5)))).toEqual([
      [0, 1],
      [0, 2],
      [0, 3],
      [0, 4],
      [1.5, 5],
    ])
  })
  it('scales intervals, not timestamps', () => {
    expect(all(sourceOf(azure(10, 12, 16), { rateScale: 2, startSeconds: 5 }))).toEqual([
      [5, 1],
      [6, 2],
      [8, 3],
    ])
  })
  it('is the same however small the buffer is, run up to what is known and no further', () => {
    const seconds = fc
      .array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 60 })
      .map((list) => list.sort((a, b) => a - b).map((n) => n / 4))
    fc.assert(
      fc.property(
        seconds,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 20, max: 90 }),
        (times, bufferRows, piece) => {
          const text = azure(...times)
          const expected = all(sourceOf(text))
          const source = new TraceSource({ seed: 1, bufferRows })
          const reader = new TraceReader({ format: 'azure' })
          const rows: [number, number][] = []
          let at = 0
          for (;;) {
            while (feed(source, reader) === 'text') {
              if (at >= text.length) reader.end()
              else reader.push(text.slice(at, at + piece))
              at += piece
            }
            const known = source.knownUntil()
            const limit = known === undefined ? Number.POSITIVE_INFINITY : toSeconds(known)
            const time = zeroTime()
            while (source.peek(time) && toSeconds(time) <= limit) {
              const draft = take(source)
              rows.push([toSeconds(draft.arrival), draft.inputTokens])
            }
            if (known === undefined) break
          }
          expect(rows).toEqual(expected)
        },
      ),
    )
  })
  it('throws rather than lose arrivals when it is run past what is known', () => {
    const source = new TraceSource({ seed: 1 })
    expect(() => source.peek(zeroTime())).toThrow(TraceStarved)
  })
  it('refuses unsorted rows, or sorts them', () => {
    const text = azure(5, 3, 4)
    expect(() => sourceOf(text)).toThrow('not before')
    expect(all(sourceOf(text, { sort: true }))).toEqual([
      [0, 2],
      [1, 3],
      [2, 1],
    ])
  })
  it('can be given arrivals of another kind: a closed loop over rows without times', () => {
    const text = [1, 2, 3].map((n) => JSON.stringify({ input_length: n, output_length: 1 })).join('\n')
    const source = sourceOf(text, { arrivals: { name: 'closedLoop', users: 1, thinkSeconds: 1 } })
    const first = take(source)
    expect(source.peek(zeroTime())).toBe(false)
    source.ended(first.tag, 'completed', timeFromSeconds(2))
    const second = take(source)
    expect([second.inputTokens, toSeconds(second.arrival)]).toEqual([2, 3])
    source.ended(second.tag, 'failed', timeFromSeconds(4))
    expect(toSeconds(take(source).arrival)).toBe(5)
    expect(source.peek(zeroTime())).toBe(false)
    expect(() => sourceOf(text)).toThrow('a time (or arrivals of another kind)')
  })
  it('goes faster and slower on the way, and can pause', () => {
    const source = sourceOf(azure(0, 10, 20, 30, 40))
    expect(source.meanRate).toBeCloseTo(0.1, 12)
    take(source)
    source.setRate(0.2, timeFromSeconds(5))
    const second = take(source)
    expect(toSeconds(second.arrival)).toBe(7.5)
    source.setRate(0, timeFromSeconds(8))
    expect(source.peek(zeroTime())).toBe(false)
    source.setRate(0.1, timeFromSeconds(100))
    // At 8 s the trace had come to 11; 9 s are left to the row at 20.
    expect(toSeconds(take(source).arrival)).toBe(109)
  })
  it('marks requests with what its clients do', () => {
    const draft = take(sourceOf(azure(1), { tenant: 1, serviceClass: 2, clients: { priority: 4, timeoutSeconds: 9 } }))
    expect(draft).toMatchObject({ tenant: 1, serviceClass: 2, priority: 4, timeoutSeconds: 9, maxTokens: 1 })
  })
})

describe('prompts of a trace', () => {
  it('share the blocks that their hashes have in common', () => {
    const row = (ids: number[]) =>
      JSON.stringify({ timestamp: 0, input_length: ids.length * 512, output_length: 1, hash_ids: ids })
    const source = sourceOf([row([1, 2, 3]), row([1, 2, 4]), row([1, 2])].join('\n'))
    const [a, b, c] = [take(source), take(source), take(source)]
    expect(source.tree.parentOf(a.prompt)).toBe(c.prompt)
    expect(source.tree.parentOf(b.prompt)).toBe(c.prompt)
    expect(source.tree.depthOf(a.prompt)).toBe(1536)
  })
  it('of a session whose calls wait contain the earlier calls and answers', () => {
    const text =
      '{"session_id": "s", "arrival_time_ns": 0, "sub_requests": [{"input_toks": 200, "output_toks": 10, "tool_duration_ns": 500000000}, {"input_toks": 260, "output_toks": 1}]}'
    const source = sourceOf(text)
    const first = take(source)
    expect(source.peek(zeroTime())).toBe(false)
    source.ended(first.tag, 'completed', { seconds: 2, ticks: 5 })
    const second = take(source)
    expect(second.arrival).toEqual({ seconds: 2, ticks: 5 + 2 ** 43 } satisfies Time)
    expect(source.tree.parentOf(second.prompt)).toBe(first.output)
    expect(source.tree.depthOf(first.output)).toBe(210)
    expect([first.session, second.session]).toEqual([1, 1])
    source.ended(second.tag, 'completed', timeFromSeconds(9))
    expect(source.peek(zeroTime())).toBe(false)
  })
  it('of a session that fails are not sent on', () => {
    const text = 'arrival_s,input_tokens,output_tokens,session,after_s\n0,10,1,a,\n,20,1,a,1\n5,30,1,,'
    const source = sourceOf(text)
    source.ended(take(source).tag, 'rejected', zeroTime())
    expect(all(source)).toEqual([[5, 30]])
  })
  it('a follower without a leader is an error', () => {
    const rows = readTrace('arrival_s,input_tokens,output_tokens,session,after_s\n,20,1,a,1', { times: 'optional' })
    expect(() => new TraceSource({ seed: 1 }).offer(rows[0]!)).toThrow('an earlier row of its session')
  })
})
