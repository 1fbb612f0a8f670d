import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openStore } from '../../src/store/openStore.ts'
import { PostgresStore } from '../../src/store/postgresStore.ts'
import { type LocalPostgres, startPostgres } from './localPostgres.ts'
import { newRun, storeContract } from './storeContract.ts'

let database: LocalPostgres
beforeAll(async () => {
  database = await startPostgres()
}, 60_000)
afterAll(() => database.stop())

storeContract('PostgreSQL', (most) => PostgresStore.open(database.address, most))

describe('PostgreSQL as a store', () => {
  it('is chosen by its address, and several servers that start at once share it', async () => {
    const address = await database.fresh('shared')
    const stores = await Promise.all(Array.from({ length: 4 }, () => openStore(address)))
    expect(stores.every((store) => store instanceof PostgresStore)).toBe(true)
    await Promise.all(stores.map((store) => store.begin(newRun)))
    for (const store of stores) expect(await store.list()).toHaveLength(4)
    await Promise.all(stores.map((store) => store.close()))
  })

  it('says when it cannot be reached, and works again after the database was started anew', async () => {
    const store = await openStore(await database.fresh('again'))
    const id = await store.begin(newRun)
    await database.restart()
    await expect
      .poll(() =>
        store.write(id, { frames: [{ seq: 0, text: '{}' }] }).then(
          () => 'written',
          () => 'failed',
        ),
      )
      .toBe('written')
    expect(await store.frames(id)).toEqual(['{}'])
    await store.close()
    await expect(openStore('postgres://windtunnel@127.0.0.1:1/nothing')).rejects.toThrow()
  })
})
