import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/openStore.ts'
import { SqliteStore } from '../../src/store/sqliteStore.ts'
import { shownAddress, storeAddress } from '../../src/store/storeAddress.ts'
import { newRun, storeContract } from './storeContract.ts'

const folder = mkdtempSync(join(tmpdir(), 'windtunnel-store-'))
afterAll(() => rmSync(folder, { recursive: true }))

storeContract('SQLite', async (most) => new SqliteStore(':memory:', most))

describe('SQLite as a store', () => {
  it('is whole, with all that was written, after the process that wrote it was killed', async () => {
    const path = join(folder, 'new', 'runs.sqlite')
    const module = new URL('../../src/store/sqliteStore.ts', import.meta.url).href
    const program = `
      const { SqliteStore } = await import('${module}')
      const store = new SqliteStore(${JSON.stringify(path)})
      const id = await store.begin(${JSON.stringify(newRun)})
      await store.write(id, { frames: [{ seq: 0, text: '{}' }, { seq: 1, text: '{}' }] })
      process.kill(process.pid, 'SIGKILL')`
    expect(() => execFileSync(process.execPath, ['--input-type=module', '-e', program], { stdio: 'pipe' })).toThrow()
    const store = await openStore(path)
    const [kept] = await store.list()
    expect(kept).toMatchObject({ run: 'demo', seed: 7 })
    expect(kept?.endedAt).toBeUndefined()
    expect(await store.frames(kept!.id)).toHaveLength(2)
    await store.close()
  })

  it('says what was wrong when the database has undone a write by itself, and takes the next one', async () => {
    const path = join(folder, 'full.sqlite')
    const store = new SqliteStore(path)
    const id = await store.begin(newRun)
    const other = new DatabaseSync(path)
    other.exec(`CREATE TRIGGER full BEFORE INSERT ON frames BEGIN
      SELECT RAISE(ROLLBACK, 'database or disk is full') WHERE new.seq = 1; END`)
    other.close()
    const frame = (seq: number) => store.write(id, { frames: [{ seq, text: `f${seq}` }] })
    await expect(frame(1)).rejects.toThrow('database or disk is full')
    await frame(2)
    expect(await store.frames(id)).toEqual(['f2'])
    await store.close()
  })

  it('is shared by servers that open a new file at the same moment', async () => {
    const path = join(folder, 'shared', 'runs.sqlite')
    const module = new URL('../../src/store/sqliteStore.ts', import.meta.url).href
    const program = `
      const { SqliteStore } = await import('${module}')
      const store = new SqliteStore(${JSON.stringify(path)})
      const id = await store.begin(${JSON.stringify(newRun)})
      for (let seq = 0; seq < 100; seq++) await store.write(id, { frames: [{ seq, text: '{}' }] })
      await store.close()`
    const one = () => promisify(execFile)(process.execPath, ['--input-type=module', '-e', program])
    await Promise.all([one(), one(), one()])
    const store = await openStore(path)
    const kept = await store.list()
    expect(kept).toHaveLength(3)
    for (const { id } of kept) expect(await store.frames(id)).toHaveLength(100)
    await store.close()
  })

  it('takes over a file of the first version, and refuses one of a later version', async () => {
    const path = join(folder, 'first.sqlite')
    const first = new DatabaseSync(path)
    first.exec(`
      CREATE TABLE runs (id INTEGER PRIMARY KEY AUTOINCREMENT, run TEXT NOT NULL, scenario TEXT NOT NULL,
        seed INTEGER NOT NULL, started_at TEXT NOT NULL, ended_at TEXT, scenario_document TEXT NOT NULL,
        log TEXT NOT NULL, summary TEXT);
      INSERT INTO runs (run, scenario, seed, started_at, scenario_document, log) VALUES ('old', 'x', 3, 't', '{}', '{}');`)
    first.close()
    const store = await openStore(path)
    expect(await store.find(1)).toMatchObject({ run: 'old', seed: 3, folder: '.' })
    await store.write(1, { events: [{ seq: 0, text: '{}' }] })
    expect(await store.events(1)).toEqual(['{}'])
    await store.close()
    const later = new DatabaseSync(path)
    later.exec('PRAGMA user_version = 99')
    later.close()
    await expect(openStore(path)).rejects.toThrow('later version')
  })
})

describe('the address of the store', () => {
  it('is what the environment says, else a file in the state folder of the user', () => {
    expect(storeAddress({ WINDTUNNEL_STORE: '/a/b.sqlite' })).toBe('/a/b.sqlite')
    expect(storeAddress({ XDG_STATE_HOME: '/state' })).toBe('/state/windtunnel/runs.sqlite')
    expect(storeAddress({})).toMatch(/\.local\/state\/windtunnel\/runs\.sqlite$/)
  })

  it('is shown without its password', () => {
    expect(shownAddress('postgres://ann:secret@db.example/runs')).toBe('postgres://ann:***@db.example/runs')
    expect(shownAddress('/a/b.sqlite')).toBe('/a/b.sqlite')
  })
})
