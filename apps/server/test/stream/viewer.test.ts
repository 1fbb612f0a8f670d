import { describe, expect, it } from 'vitest'
import { type Message, Parcel } from '../../src/stream/parcel.ts'
import { Viewer } from '../../src/stream/viewer.ts'

/** A connection whose reader can stop reading. */
class FakeWire {
  readonly received: string[] = []
  bufferedAmount = 0
  terminated = false
  #stuck = false
  #waiting: string[] = []
  viewer = new Viewer(this)

  send(parcel: Parcel): void {
    for (const { text } of parcel.messages) {
      this.#waiting.push(text)
      this.bufferedAmount += text.length
    }
    if (!this.#stuck) this.#flush()
  }

  stopReading(): void {
    this.#stuck = true
  }

  readAgain(): void {
    this.#stuck = false
    this.#flush()
  }

  terminate(): void {
    this.terminated = true
  }

  #flush(): void {
    for (let text = this.#waiting.shift(); text !== undefined; text = this.#waiting.shift()) {
      this.bufferedAmount -= text.length
      this.received.push(text)
    }
    this.viewer.drained()
  }
}

const frame = (seq: number): string => `frame ${seq} ${'x'.repeat(20_000)}`
const tell = (viewer: Viewer, kind: Message['kind'], text: string): void => viewer.deliver(new Parcel([{ kind, text }]))
const names = (wire: FakeWire): string[] => wire.received.map((text) => text.split(' ').slice(0, 2).join(' '))

describe('a viewer', () => {
  it('that reads gets every message in order', () => {
    const wire = new FakeWire()
    const { viewer } = wire
    for (let seq = 0; seq < 50; seq++) tell(viewer, 'frame', frame(seq))
    expect(wire.received).toHaveLength(50)
    expect(viewer.merged).toBe(0)
  })

  it('that stops reading costs a bounded buffer, and gets the latest frame when it reads again', () => {
    const wire = new FakeWire()
    const { viewer } = wire
    wire.stopReading()
    for (let seq = 0; seq < 10_000; seq++) {
      tell(viewer, 'frame', frame(seq))
      tell(viewer, 'sample', frame(seq))
    }
    expect(wire.bufferedAmount).toBeLessThan(400_000)
    expect(viewer.merged).toBeGreaterThan(9_900)
    wire.readAgain()
    expect(names(wire).at(-1)).toBe('frame 9999')
    expect(wire.received.at(-1)).toMatch(new RegExp(`,"merged":${viewer.merged}}$`))
    tell(viewer, 'frame', frame(10_000))
    expect(names(wire).at(-1)).toBe('frame 10000')
    expect(wire.received.at(-1)).not.toContain('merged')
  })

  it('never loses the end of a run, nor its events, and gets the end last', () => {
    const wire = new FakeWire()
    const { viewer } = wire
    wire.stopReading()
    for (let seq = 0; seq < 100; seq++) tell(viewer, 'frame', frame(seq))
    tell(viewer, 'event', 'event breach')
    tell(viewer, 'frame', frame(100))
    tell(viewer, 'ended', 'ended run')
    wire.readAgain()
    expect(names(wire).slice(-3)).toEqual(['event breach', 'frame 100', 'ended run'])
  })

  it('that neither reads nor stops asking is cut off', () => {
    const wire = new FakeWire()
    const { viewer } = wire
    wire.stopReading()
    for (let ask = 0; ask < 2_000; ask++) viewer.reply(frame(ask))
    expect(wire.terminated).toBe(true)
    expect(wire.bufferedAmount).toBeLessThan(20_000_000)
  })
})
