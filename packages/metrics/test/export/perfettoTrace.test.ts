import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PerfettoTrace } from '../../src/export/perfettoTrace.ts'
import { RunRecorder } from '../../src/summary/runRecorder.ts'
import { fakeView, observersOf } from '../fakes.ts'
import { validatedTrace } from './perfettoValidator.ts'

function traceOf(tell: (recorder: RunRecorder, trace: PerfettoTrace) => void, oneIn = 1): string {
  let text = ''
  const trace = new PerfettoTrace({
    write: (piece) => {
      text += piece
    },
    oneIn,
  })
  tell(new RunRecorder({ recordings: [trace] }), trace)
  trace.close(100)
  return text
}

describe('a run as a Perfetto trace', () => {
  it('is valid with nothing in it', () => {
    expect(validatedTrace(traceOf(() => undefined)).every((event) => event.ph === 'M')).toBe(true)
  })

  it('has the steps of a replica, a transfer, and a request with its phases inside', () => {
    const text = traceOf((recorder, trace) => {
      for (const o of observersOf(recorder)) {
        o.arrived(0, 1, 100, 3, 0, 0)
        o.admitted(0, 1.5, 0, 0, 100, 0)
        o.stepped(0, 1.5, 1.75, 1, 0, 100, 0, 0)
        o.firstToken(0, 1.75)
        o.transferStarted(0, 1.75, 0, 1, 4096)
        o.transferred(0, 2, 0, 1)
        o.stepped(1, 2, 2.5, 2, 1, 0, 101, 1)
        o.ended(0, 2.5, 'completed', 3, '')
      }
      trace.sample(fakeView(2.5))
    })
    const events = validatedTrace(text)
    const slices = events.filter((event) => event.cat === 'request').map((e) => `${e.ph} ${e.name} ${e.ts! / 1e6}`)
    expect(slices).toEqual([
      'b request 0 1',
      'b queue 1',
      'e queue 1.5',
      'b prefill 1.5',
      'e prefill 1.75',
      'b transfer 1.75',
      'e transfer 2',
      'b decode 2',
      'e decode 2.5',
      'e request 0 2.5',
    ])
    const steps = events.filter((event) => event.ph === 'X').map((e) => `${e.pid} ${e.name} ${e.ts} ${e.dur}`)
    expect(steps).toEqual(['1 prefill 1500000 250000', '2 decode 2000000 500000'])
    expect(events).toContainEqual(expect.objectContaining({ ph: 'C', name: 'KV use %', args: { percent: 12.5 } }))
  })

  it('puts steps that run side by side, and runs of steps told late, into lanes, and preemptions beside them', () => {
    const text = traceOf((recorder) => {
      for (const o of observersOf(recorder)) {
        o.stepped(0, 0, 1, 1, 0, 100, 0, 0)
        o.preempted(7, 1.5, 0, 10)
        o.stepped(0, 0.5, 2, 3, 2, 0, 50, 2)
        o.stepped(0, 3, 4, 1, 2, 0, 50, 2)
      }
    })
    const events = validatedTrace(text)
    expect(events.filter(({ ph }) => ph === 'X').map(({ tid, ts }) => [tid, ts])).toEqual([
      [2, 0],
      [3, 500_000],
      [2, 3_000_000],
    ])
    // The first lane is idle from 1 s to 3 s.
    const batch = events.filter(({ name }) => name === 'batch').map(({ ts, args }) => [ts, args!['sequences']])
    expect(batch).toEqual([
      [0, 0],
      [1_000_000, 0],
      [3_000_000, 2],
    ])
  })

  it('is valid whatever happens to requests, and shows one in so many', () => {
    const life = fc.record({
      arrival: fc.double({ min: 0, max: 50, noNaN: true }),
      waits: fc.array(fc.double({ min: 0, max: 3, noNaN: true }), { minLength: 5, maxLength: 5 }),
      reaches: fc.integer({ min: 0, max: 4 }),
    })
    fc.assert(
      fc.property(fc.array(life, { maxLength: 12 }), fc.integer({ min: 1, max: 3 }), (lives, oneIn) => {
        const text = traceOf((recorder) => {
          for (const o of observersOf(recorder)) {
            lives.forEach(({ arrival, waits, reaches }, request) => {
              const at = waits.map(
                (_, index) => arrival + waits.slice(0, index + 1).reduce((sum, wait) => sum + wait, 0),
              )
              o.arrived(request, arrival, 10, 5, 0, 0)
              if (reaches > 0) o.admitted(request, at[0]!, 0, 0, 10, 0)
              if (reaches > 1) o.firstToken(request, at[1]!)
              if (reaches > 2) o.transferStarted(request, at[2]!, 0, 1, 1)
              if (reaches > 3) o.transferred(request, at[3]!, 0, 1)
              o.ended(request, at[4]!, reaches > 3 ? 'completed' : 'failed', 5, '')
            })
          }
        }, oneIn)
        const begun = validatedTrace(text).filter((event) => event.name.startsWith('request ') && event.ph === 'b')
        expect(begun).toHaveLength(Math.ceil(lives.length / oneIn))
      }),
    )
  })
})
