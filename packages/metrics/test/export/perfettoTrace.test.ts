import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { PerfettoTrace } from '../../src/export/perfettoTrace.ts'
import { RunRecorder } from '../../src/summary/runRecorder.ts'
import { fakeView, observersOf } from '../fakes.ts'

interface TraceEvent {
  ph: string
  name: string
  pid: number
  tid: number
  ts?: number
  dur?: number
  id?: number
  cat?: string
  args?: Record<string, unknown>
}

/** Checks a trace against the trace event format; returns its events. */
function validated(text: string): TraceEvent[] {
  const { traceEvents } = JSON.parse(text) as { traceEvents: TraceEvent[] }
  const stepEnd = new Map<string, number>()
  const open = new Map<string, { names: string[]; at: number }>()
  const counted = new Map<string, number>()
  for (const event of traceEvents) {
    expect(['M', 'X', 'C', 'i', 'b', 'e']).toContain(event.ph)
    for (const number of [event.pid, event.tid]) expect(Number.isInteger(number)).toBe(true)
    if (event.ph === 'M') continue
    expect(event.ts).toBeGreaterThanOrEqual(0)
    const track = `${event.pid} ${event.tid}`
    if (event.ph === 'X') {
      // Steps of one replica follow one another.
      expect(event.ts! - (stepEnd.get(track) ?? 0)).toBeGreaterThanOrEqual(-1e-6)
      expect(event.dur).toBeGreaterThanOrEqual(0)
      stepEnd.set(track, event.ts! + event.dur!)
    }
    if (event.ph === 'C') {
      const series = `${event.pid} ${event.name}`
      expect(event.ts).toBeGreaterThanOrEqual(counted.get(series) ?? 0)
      counted.set(series, event.ts!)
    }
    if (event.ph === 'b' || event.ph === 'e') checkAsync(event, open)
  }
  for (const [key, { names }] of open) expect(names, key).toEqual([])
  return traceEvents
}

/** Begins and ends of one async track pair up, nest and never go back. */
function checkAsync(event: TraceEvent, open: Map<string, { names: string[]; at: number }>): void {
  const key = `${event.cat} ${event.id}`
  const track = open.get(key) ?? { names: [], at: 0 }
  open.set(key, track)
  expect(event.ts).toBeGreaterThanOrEqual(track.at)
  track.at = event.ts!
  if (event.ph === 'b') track.names.push(event.name)
  else expect(track.names.pop()).toBe(event.name)
}

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
    expect(validated(traceOf(() => undefined)).every((event) => event.ph === 'M')).toBe(true)
  })

  it('has the steps of a replica, a transfer, and a request with its phases inside', () => {
    const text = traceOf((recorder, trace) => {
      for (const o of observersOf(recorder)) {
        o.arrived(0, 1, 100, 3, 0, 0)
        o.admitted(0, 1.5, 0, 0, 100, 0)
        o.stepped(0, 1.5, 1.75, 1, 0, 100, 0)
        o.firstToken(0, 1.75)
        o.transferStarted(0, 1.75, 0, 1, 4096)
        o.transferred(0, 2, 0, 1)
        o.stepped(1, 2, 2.5, 2, 1, 0, 101)
        o.ended(0, 2.5, 'completed', 3, '')
      }
      trace.sample(fakeView(2.5))
    })
    const events = validated(text)
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
        const begun = validated(text).filter((event) => event.name.startsWith('request ') && event.ph === 'b')
        expect(begun).toHaveLength(Math.ceil(lives.length / oneIn))
      }),
    )
  })
})
