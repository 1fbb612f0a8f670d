import type { RunStore } from './runStore.ts'
import { SqliteStore } from './sqliteStore.ts'

/**
 * Opens the store at an address: `postgres://...` is a database, anything else a SQLite file. The promise rejects when it
 * cannot be opened. The code for PostgreSQL is loaded only where it is used.
 */
export async function openStore(address: string): Promise<RunStore> {
  if (!/^postgres(ql)?:\/\//.test(address)) return new SqliteStore(address)
  const { PostgresStore } = await import('./postgresStore.ts')
  return PostgresStore.open(address)
}
