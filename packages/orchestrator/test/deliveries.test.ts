import { addTicks, EventQueue, RandomStream, type Time, zeroTime } from '@windtunnel/des'
import { describe, expect, it } from 'vitest'
import { Deliveries } from '../src/fleet/deliveries.ts'

/** How many ticks of at most `spread` a delivery sent at a tick takes, for a queue that is filled and emptied at random. */
const compareWithHeap = (seed: number, spread: number): { overtakings: number; longest: number } => {
  const random = new RandomStream(seed, 'deliveries')
  const deliveries = new Deliveries()
  const heap = new EventQueue()
  const [here, there]: [Time, Time] = [zeroTime(), zeroTime()]
  let last = 0
  let overtakings = 0
  let longest = 0
  for (let tick = 0; tick < 2000; tick++) {
    const due = tick + random.integer(spread)
    const at = addTicks(zeroTime(), due)
    if (heap.size > 0 && due < last) overtakings++
    last = Math.max(last, due)
    deliveries.push(at, tick)
    heap.push(at.seconds, at.ticks, 0, 0, tick)
    longest = Math.max(longest, heap.size)
    while (heap.peek(there) && there.ticks <= tick) {
      expect(deliveries.peek(here)).toBe(true)
      expect(here).toEqual(there)
      expect(deliveries.take()).toBe(heap.subject)
      heap.pop()
    }
    expect(deliveries.peek(here)).toBe(heap.size > 0)
  }
  return { overtakings, longest }
}

describe('deliveries of front ends', () => {
  it('arrive in the order of time, then of sending, whoever overtakes whom', () => {
    for (let seed = 0; seed < 5; seed++) {
      const { overtakings, longest } = compareWithHeap(seed, 40)
      expect(overtakings).toBeGreaterThan(100)
      expect(longest).toBeGreaterThan(16)
    }
  })

  it('arrive so too when many overtake more than would be worth moving', () => {
    for (let seed = 0; seed < 5; seed++) expect(compareWithHeap(seed, 300).longest).toBeGreaterThan(100)
  })

  it('arrive so too when few overtake, and all have arrived now and then', () => {
    for (let seed = 0; seed < 5; seed++) compareWithHeap(seed, 3)
  })
})
