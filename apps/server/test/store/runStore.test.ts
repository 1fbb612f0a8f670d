import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { RunStore } from '../../src/store/runStore.ts'
import { storePath } from '../../src/store/storePath.ts'

const folder = mkdtempSync(join(tmpdir(), 'windtunnel-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

const entry = { run: 'demo', scenario: 'chat', seed: 7, startedAt: '2026-01-01T00:00:00.000Z' }

describe('the store of runs', () => {
  it('keeps scenario, commands, frames and summary, and forgets all of a run that is deleted', () => {
    const store = new RunStore(':memory:')
    const id = store.begin(entry, '{"name":"chat"}')
    store.addFrames(id, [
      { seq: 2, text: '{"seq":2}' },
      { seq: 0, text: '{"seq":0}' },
    ])
    store.setLog(id, '{"seed":7,"commands":[1]}')
    expect(store.list()).toEqual([{ id, ...entry }])
    store.end(id, '2026-01-01T00:01:00.000Z', '{"version":1}')
    expect(store.find(id)).toMatchObject({ scenarioDocument: '{"name":"chat"}', log: '{"seed":7,"commands":[1]}' })
    expect(store.find(id)).toMatchObject({ summary: '{"version":1}', endedAt: '2026-01-01T00:01:00.000Z' })
    expect(store.frames(id)).toEqual(['{"seq":0}', '{"seq":2}'])
    expect(store.delete(id)).toBe(true)
    expect(store.delete(id)).toBe(false)
    expect(store.frames(id)).toEqual([])
    expect(store.find(id)).toBeUndefined()
    store.close()
  })

  it('lists the latest run first', () => {
    const store = new RunStore(':memory:')
    store.begin(entry, '{}')
    store.begin({ ...entry, run: 'later' }, '{}')
    expect(store.list().map((kept) => kept.run)).toEqual(['later', 'demo'])
    store.close()
  })

  it('forgets the oldest runs, with their frames, beyond the number it may keep', () => {
    const store = new RunStore(':memory:', 2)
    const first = store.begin(entry, '{}')
    store.addFrames(first, [{ seq: 0, text: '{}' }])
    store.begin({ ...entry, run: 'second' }, '{}')
    store.begin({ ...entry, run: 'third' }, '{}')
    expect(store.list().map((kept) => kept.run)).toEqual(['third', 'second'])
    expect(store.frames(first)).toEqual([])
    store.close()
  })

  it('is whole, with all that was written, after the process that wrote it was killed', () => {
    const path = join(folder, 'new', 'runs.sqlite')
    const module = new URL('../../src/store/runStore.ts', import.meta.url).href
    const program = `
      const { RunStore } = await import('${module}')
      const store = new RunStore(${JSON.stringify(path)})
      const id = store.begin(${JSON.stringify(entry)}, '{}')
      store.addFrames(id, [{ seq: 0, text: '{}' }, { seq: 1, text: '{}' }])
      process.kill(process.pid, 'SIGKILL')`
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', program], { stdio: 'pipe' })).toThrow()
    const store = new RunStore(path)
    const [kept] = store.list()
    expect(kept).toMatchObject(entry)
    expect(kept?.endedAt).toBeUndefined()
    expect(store.frames(kept!.id)).toHaveLength(2)
    store.close()
  })

  it('lies where the environment says, else in the state folder of the user', () => {
    expect(storePath({ WINDTUNNEL_STORE: '/a/b.sqlite' })).toBe('/a/b.sqlite')
    expect(storePath({ XDG_STATE_HOME: '/state' })).toBe('/state/windtunnel/runs.sqlite')
    expect(storePath({})).toMatch(/\.local\/state\/windtunnel\/runs\.sqlite$/)
  })
})
