import type { RunSummary, ScenarioFacts } from '@windtunnel/protocol'
import { describe, expect, it } from 'vitest'
import type { RunNews } from '../../src/run/runNews.ts'
import { RunKeeper } from '../../src/store/runKeeper.ts'
import type { RunBatch } from '../../src/store/runStore.ts'
import { SqliteStore } from '../../src/store/sqliteStore.ts'

/** A store that can be out of reach for a while. */
class ShakyStore extends SqliteStore {
  down = false
  tries = 0

  override async write(id: number, batch: RunBatch): Promise<void> {
    this.tries += 1
    if (this.down) throw new Error('the database is away')
    return super.write(id, batch)
  }
}

const begun = (seed: number): RunNews => ({ kind: 'begun', facts: { name: 'chat', seed } as ScenarioFacts })
const frame = (seq: number): RunNews => ({ kind: 'frame', seq, time: seq, state: 'running', text: '', thin: `f${seq}` })
const event = (text: string, command?: string): RunNews =>
  command === undefined ? { kind: 'event', text } : { kind: 'event', text, command }

function keeping() {
  const store = new ShakyStore(':memory:')
  const faults: unknown[] = []
  const keeper = new RunKeeper({
    store,
    run: 'demo',
    scenarioDocument: '{}',
    folder: '.',
    fault: (cause) => faults.push(cause),
  })
  return { store, keeper, faults }
}

describe('keeping a run', () => {
  it('writes the latest frame, the incidents and the command log at every flush', async () => {
    const { store, keeper } = keeping()
    for (const news of [begun(7), frame(0), frame(2), event('e0', '{"c":1}'), event('e1')]) keeper.hear(news)
    await keeper.flush()
    keeper.hear(frame(4))
    await keeper.flush()
    expect(await store.frames(1)).toEqual(['f2', 'f4'])
    expect(await store.events(1)).toEqual(['e0', 'e1'])
    expect((await store.find(1))?.log).toBe('{"seed":7,"commands":[{"c":1}]}')
    await keeper.close(undefined)
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
    for (let second = 0; second < 80; second++) {
      keeper.hear(frame(2 * second))
      await keeper.flush()
    }
    expect(store.tries).toBe(60)
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
