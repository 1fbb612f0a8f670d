import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { NewRun, RunStore } from '../../src/store/runStore.ts'

export const newRun: NewRun = {
  run: 'demo',
  scenario: 'chat',
  seed: 7,
  startedAt: '2026-01-01T00:00:00.000Z',
  scenarioDocument: '{"name":"chat"}',
  folder: '/scenarios',
}

/** What every store of runs promises. `open` opens one that keeps at most `most` runs and is empty at first. */
export function storeContract(name: string, open: (most: number) => Promise<RunStore>): void {
  describe(`the store of runs in ${name}`, () => {
    let store: RunStore
    beforeAll(async () => {
      store = await open(3)
    })
    afterAll(() => store.close())

    it('keeps scenario, commands, frames, incidents and summary, and forgets all of a run that is deleted', async () => {
      const id = await store.begin(newRun)
      expect(await store.find(id)).toMatchObject({ log: '{"seed":7,"commands":[]}', folder: '/scenarios' })
      await store.write(id, {
        frames: [
          { seq: 2, text: '{"seq":2}' },
          { seq: 0, text: '{"seq":0}' },
        ],
        events: [
          { seq: 1, text: '{"text":"rate 2 to 3"}' },
          { seq: 0, text: '{"text":"it is \'quoted\' \u00e9"}' },
        ],
        log: '{"seed":7,"commands":[1]}',
      })
      const { scenarioDocument, folder, ...listed } = newRun
      expect(await store.list()).toEqual([{ id, ...listed }])
      await store.end(id, '2026-01-01T00:01:00.000Z', '{"version":1}')
      expect(await store.find(id)).toEqual({
        id,
        ...listed,
        scenarioDocument,
        folder,
        log: '{"seed":7,"commands":[1]}',
        summary: '{"version":1}',
        endedAt: '2026-01-01T00:01:00.000Z',
      })
      expect(await store.frames(id)).toEqual(['{"seq":0}', '{"seq":2}'])
      expect(await store.events(id)).toEqual(['{"text":"it is \'quoted\' \u00e9"}', '{"text":"rate 2 to 3"}'])
      expect(await store.delete(id)).toBe(true)
      expect(await store.delete(id)).toBe(false)
      expect(await store.frames(id)).toEqual([])
      expect(await store.events(id)).toEqual([])
      expect(await store.find(id)).toBeUndefined()
    })

    it('replaces a line that is written twice, and ignores what comes for a run that is gone', async () => {
      const id = await store.begin(newRun)
      await store.write(id, { frames: [{ seq: 0, text: 'old' }] })
      await store.write(id, { frames: [{ seq: 0, text: 'new' }] })
      expect(await store.frames(id)).toEqual(['new'])
      await store.delete(id)
      await store.write(id, { frames: [{ seq: 1, text: 'late' }], events: [{ seq: 0, text: 'late' }], log: '{}' })
      await store.end(id, 'now', undefined)
      expect(await store.find(id)).toBeUndefined()
    })

    it('forgets the frames between the steps of a series that grows coarser', async () => {
      const id = await store.begin(newRun)
      await store.write(id, { frames: [0, 1, 2, 3, 4, 5].map((seq) => ({ seq, text: `f${seq}` })) })
      await store.write(id, { frameStep: 2, frames: [{ seq: 6, text: 'f6' }] })
      expect(await store.frames(id)).toEqual(['f0', 'f2', 'f4', 'f6'])
      await store.delete(id)
    })

    it('writes a batch whole or not at all', async () => {
      const id = await store.begin(newRun)
      const broken = { seq: Number.NaN, text: 'x' }
      await expect(store.write(id, { frames: [{ seq: 0, text: 'x' }, broken], log: '{"seed":9}' })).rejects.toThrow()
      expect(await store.frames(id)).toEqual([])
      expect(await store.find(id)).toMatchObject({ log: '{"seed":7,"commands":[]}' })
      await store.delete(id)
    })

    it('lists the latest run first, and forgets the oldest with their frames beyond the number it may keep', async () => {
      const first = await store.begin(newRun)
      await store.write(first, { frames: [{ seq: 0, text: '{}' }] })
      for (const run of ['second', 'third', 'fourth']) await store.begin({ ...newRun, run })
      expect((await store.list()).map((kept) => kept.run)).toEqual(['fourth', 'third', 'second'])
      expect(await store.frames(first)).toEqual([])
    })
  })
}
