import type { RunSummary, ScenarioFacts } from '@windtunnel/protocol'
import { describe, expect, it, vi } from 'vitest'
import type { RunNews } from '../../src/run/runNews.ts'
import { RunKeeper } from '../../src/store/runKeeper.ts'
import type { RunBatch } from '../../src/store/runStore.ts'
import { SqliteStore } from '../../src/store/sqliteStore.ts'

/** A store that can be out of reach for a while. */
class ShakyStore extends SqliteStore {
  down = false
  tries = 0
  milliseconds = 0

  override async write(id: number, batch: RunBatch): Promise<void> {
    this.tries += 1
    if (this.milliseconds > 0) await new Promise((resolve) => setTimeout(resolve, this.milliseconds))
    if (this.down) throw new Error('the database is away')
    return super.write(id, batch)
  }
}

const begun = (seed: number): RunNews => ({ kind: 'begun', facts: { name: 'chat', seed } as ScenarioFacts })
const frame = (seq: number, wall = seq): RunNews => ({
  kind: 'frame',
  seq,
  time: seq,
  wall,
  state: 'running',
  text: '',
  thin: `f${seq}`,
})
const event = (text: string, command?: string): RunNews =>
  command === undefined ? { kind: 'event', text } : { kind: 'event', text, command }

/** `milliseconds`: how long a write takes. */
function keeping(milliseconds = 0) {
  const store = new ShakyStore(':memory:')
  store.milliseconds = milliseconds
  const faults: unknown[] = []
  const keeper = new RunKeeper({
    store,
    run: 'demo',
    scenarioDocument: '{}',
    folder: '.',
    fault: (cause) => faults.push(cause),
    repeat: (work, seconds) => {
      const timer = setInterval(work, seconds * 1000)
      return () => clearInterval(timer)
    },
  })
  return { store, keeper, faults }
}

describe('keeping a run', () => {
  it('writes the latest frame, the incidents and the command log at every flush', async () => {
    const { store, keeper } = keeping()
    const told = [begun(7), frame(0, 0.1), frame(2, 0.3), event('e0', '{"c":1}'), event('e1')]
    for (const news of told) keeper.hear(news)
    await keeper.flush()
    keeper.hear(frame(4, 0.9))
    keeper.hear(frame(6, 1.1))
    await keeper.flush()
    expect(await store.frames(1)).toEqual(['f4', 'f6'])
    expect(await store.events(1)).toEqual(['e0', 'e1'])
    expect((await store.find(1))?.log).toBe('{"seed":7,"commands":[{"c":1}]}')
    await keeper.close(undefined)
  })

  it('has all but the last second of the series at every moment, even when a write takes 0.3 s', async () => {
    vi.useFakeTimers()
    try {
      const { store, keeper } = keeping(300)
      keeper.hear(begun(7))
      for (let milliseconds = 0; milliseconds <= 20_000; milliseconds += 10) {
        if (milliseconds % 200 === 0) keeper.hear(frame(milliseconds / 100, milliseconds / 1000))
        await vi.advanceTimersByTimeAsync(10)
        // A server that is killed now leaves this.
        const kept = Number((await store.frames(1)).at(-1)?.slice(1) ?? 0) * 100
        expect(milliseconds - kept).toBeLessThanOrEqual(1000)
      }
      expect(await store.frames(1)).toHaveLength(20)
    } finally {
      vi.useRealTimers()
    }
  })

  it('tries again what a store could not take, tells of it once, and loses nothing', async () => {
    const { store, keeper, faults } = keeping()
    keeper.hear(begun(7))
    await keeper.flush()
    store.down = true
    for (const seq of [0, 2, 4]) {
      keeper.hear(frame(seq))
      keeper.hear(event(`e${seq}`, `${seq}`))
      await keeper.flush()
    }
    expect(faults).toHaveLength(1)
    store.down = false
    await keeper.flush()
    expect(await store.frames(1)).toEqual(['f0', 'f2', 'f4'])
    expect(await store.events(1)).toEqual(['e0', 'e2', 'e4'])
    expect((await store.find(1))?.log).toBe('{"seed":7,"commands":[0,2,4]}')
    await keeper.close(undefined)
  })

  it('gives up a store that fails for a minute', async () => {
    const { store, keeper } = keeping()
    keeper.hear(begun(7))
    await keeper.flush()
    store.down = true
    for (let quarter = 0; quarter < 300; quarter++) {
      keeper.hear(frame(2 * quarter))
      await keeper.flush()
    }
    expect(store.tries).toBe(240)
    await keeper.close(undefined)
  })

  it('begins a new entry with a reset, and keeps the figures that the run had', async () => {
    const { store, keeper } = keeping()
    keeper.hear(begun(7))
    keeper.hear(event('e0', '{"c":1}'))
    keeper.hear({ kind: 'left', summary: { version: 1 } as RunSummary })
    keeper.hear(begun(8))
    keeper.hear(event('other'))
    await keeper.flush()
    expect((await store.list()).map(({ seed }) => seed)).toEqual([8, 7])
    expect(await store.find(1)).toMatchObject({ summary: '{"version":1}', log: '{"seed":7,"commands":[{"c":1}]}' })
    expect(await store.events(2)).toEqual(['other'])
    await keeper.close(undefined)
  })
})
