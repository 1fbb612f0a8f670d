import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { EventQueue } from '../src/eventQueue.ts'
import { IndexedEventQueue } from '../src/indexedEventQueue.ts'
import { zeroTime } from '../src/time.ts'

interface Event {
  seconds: number
  ticks: number
  order: number
}

/** Times that collide often, and times that differ by one tick far from zero (equal as one double). */
const event: fc.Arbitrary<Event> = fc.record({
  seconds: fc.constantFrom(0, 1, 100_000),
  ticks: fc.constantFrom(0, 1, 2, 3, 2 ** 43),
  order: fc.integer({ min: 0, max: 2 }),
})
const compare = (a: Event, b: Event): number => a.seconds - b.seconds || a.ticks - b.ticks || a.order - b.order

describe('the event queue', () => {
  it('gives events in the order of time, then order, then entry', () => {
    fc.assert(
      fc.property(fc.array(event, { maxLength: 200 }), (events) => {
        const queue = new EventQueue(1)
        events.forEach((e, i) => {
          queue.push(e.seconds, e.ticks, e.order, i % 7, i)
        })
        const expected = events.map((e, i) => ({ ...e, i })).sort((a, b) => compare(a, b) || a.i - b.i)
        const time = zeroTime()
        for (const e of expected) {
          expect(queue.peek(time)).toBe(true)
          expect({ ...time, order: queue.order, i: queue.subject }).toEqual(e)
          expect(queue.kind).toBe(e.i % 7)
          queue.pop()
        }
        expect(queue.peek(time)).toBe(false)
      }),
    )
  })
  it('stays right when pushes and pops mix', () => {
    fc.assert(
      fc.property(fc.array(fc.option(event), { maxLength: 300 }), (steps) => {
        const queue = new EventQueue(2)
        const model: (Event & { i: number })[] = []
        steps.forEach((step, i) => {
          if (step !== null) {
            queue.push(step.seconds, step.ticks, step.order, 0, i)
            model.push({ ...step, i })
          } else if (model.length > 0) {
            model.sort((a, b) => compare(a, b) || a.i - b.i)
            expect(queue.subject).toBe(model.shift()!.i)
            queue.pop()
          }
          expect(queue.size).toBe(model.length)
        })
      }),
    )
  })
  it('refuses to pop when empty, and can be cleared', () => {
    const queue = new EventQueue()
    queue.push(1, 2, 3, 4, 5)
    queue.clear()
    expect(queue.size).toBe(0)
    expect(() => queue.pop()).toThrow('empty')
  })
})

describe('the indexed event queue', () => {
  const FOR_EVER = { seconds: Number.POSITIVE_INFINITY, ticks: 0 }
  /** Changes of a queue that begins with `room` and has `indices` in the end; the first event is often the one that changes. */
  const changes = fc.record({
    room: fc.integer({ min: 1, max: 20 }),
    indices: fc.integer({ min: 1, max: 20 }),
    steps: fc.array(
      fc.record({
        index: fc.option(fc.integer({ min: 0, max: 19 }), { nil: 'first' as const }),
        entry: fc.option(event, { freq: 3 }),
      }),
      { maxLength: 200 },
    ),
  })

  it('holds one event for each index and knows the first one through any changes', () => {
    fc.assert(
      fc.property(changes, event, ({ room, indices, steps }, other) => {
        const queue = new IndexedEventQueue(room)
        const model = new Map<number, Event>()
        const inOrder = () => [...model].sort((a, b) => compare(a[1], b[1]) || a[0] - b[0])
        const time = zeroTime()
        steps.forEach(({ index: chosen, entry }, step) => {
          // Half of the changes come before it grows.
          const most = step < steps.length / 2 ? Math.min(room, indices) : indices
          if (most === indices) queue.grow(indices)
          const index = chosen === 'first' ? (inOrder()[0]?.[0] ?? 0) : chosen % most
          if (entry === null) expect(queue.remove(index)).toBe(model.delete(index))
          else {
            queue.set(index, entry, entry.order)
            model.set(index, entry)
          }
          const first = inOrder()[0]
          expect(queue.peekBefore(FOR_EVER, 0, time)).toBe(first !== undefined)
          for (let i = 0; i < most; i++) {
            const others = inOrder().filter(([there]) => there !== i)
            const comesFirst = others.every(([there, e]) => (compare(other, e) || i - there) < 0)
            expect(queue.wouldBeFirst(i, other, other.order)).toBe(comesFirst)
          }
          if (first === undefined) return
          expect(queue.first).toBe(first[0])
          expect({ ...time, order: queue.orderOf(queue.first) }).toEqual(first[1])
          expect(queue.peekBefore(first[1], first[1].order, time)).toBe(false)
          expect(queue.peekBefore(first[1], first[1].order + 1, time)).toBe(true)
        })
      }),
    )
  })
  it('has no first event before there is one, nor after the last is gone', () => {
    const queue = new IndexedEventQueue(3)
    expect(queue.peekBefore(FOR_EVER, 0, zeroTime())).toBe(false)
    queue.set(2, { seconds: 1, ticks: 0 }, 0)
    expect(queue.first).toBe(2)
    expect(queue.remove(2)).toBe(true)
    expect(queue.remove(2)).toBe(false)
    expect(queue.peekBefore(FOR_EVER, 0, zeroTime())).toBe(false)
  })
  it('refuses an index it has no room for', () => {
    expect(() => new IndexedEventQueue(2).set(2, zeroTime(), 0)).toThrow('0 .. 1')
  })
})
