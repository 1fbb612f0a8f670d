import { expect, it } from 'vitest'
import { KeptEntry } from '../../src/store/keptEntry.ts'
import { SqliteStore } from '../../src/store/sqliteStore.ts'
import { newRun } from './storeContract.ts'

it('the series of a run that plays for ever stays bounded: coarser, evenly spaced, and with the latest frame', async () => {
  const store = new SqliteStore(':memory:')
  const entry = new KeptEntry(store, newRun, 8)
  for (let half = 0; half <= 2 * 50; half++) {
    entry.frame(half / 2, `${half / 2}`)
    await entry.write()
    expect((await store.frames(1)).length).toBeLessThanOrEqual(8)
  }
  // Steps of 1 s, of 2 s from 8 s on (of 0 to 7 the even ones stay), of 4 s from 16 s on, of 8 s from 32 s on; each kept frame
  // was the latest of its step when it was written.
  expect(await store.frames(1)).toEqual(['0.5', '9.5', '19.5', '27.5', '39.5', '47.5', '50'])
  await store.close()
})
