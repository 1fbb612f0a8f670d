import type { Frame } from '@windtunnel/protocol'
import { describe, expect, it } from 'vitest'
import { History } from '../src/live/history.ts'
import { sinceChange } from '../src/live/sinceChange.ts'

/** A history of a frame a second, in which as many wait as seconds have passed, and nothing has a TTFT before 10 s. */
const history = (seconds: number): History => {
  const made = new History()
  for (let time = 0; time <= seconds; time += 1)
    made.push({ time, waiting: time, ...(time < 10 ? {} : { ttft: { p50: 1, p90: 1, p99: time } }) } as Frame)
  return made
}
const rate = { time: 50, text: 'rate 8 \u2192 16/s' }

describe('what became of the fleet since the last change', () => {
  it('is told by how figures stood just before it, and stand now', () => {
    expect(sinceChange([rate], history(90), ['waiting', 'ttftP99', 'goodput'])).toEqual({
      what: 'rate 8 \u2192 16/s',
      seconds: 40,
      moved: [
        { column: 'waiting', before: 50, now: 90 },
        { column: 'ttftP99', before: 50, now: 90 },
      ],
    })
  })

  it('looks at changes that follow each other as one, against what was before the first', () => {
    const marks = [{ time: 20, text: 'router' }, { time: 45, text: 'a' }, rate, { time: 60, text: 'b' }]
    expect(sinceChange(marks, history(90), ['waiting'])).toEqual({
      what: '3 changes',
      seconds: 30,
      moved: [{ column: 'waiting', before: 45, now: 90 }],
    })
  })

  it('is nothing without a change, right after it, or where the history does not reach back', () => {
    expect(sinceChange([], history(90), ['waiting'])).toBeUndefined()
    expect(sinceChange([rate], history(53), ['waiting'])).toBeUndefined()
    expect(sinceChange([{ time: -1, text: 'x' }], history(90), ['waiting'])).toBeUndefined()
    expect(sinceChange([{ time: 5, text: 'x' }], history(90), ['ttftP99'])).toBeUndefined()
  })
})
