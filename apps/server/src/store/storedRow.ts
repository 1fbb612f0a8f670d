import type { KeptRun } from '@windtunnel/protocol'
import type { StoredRun } from './runStore.ts'

/** One row of the table `runs`, as a database gives it. */
export type Row = Readonly<Record<string, unknown>>

export const keptRun = (row: Row): KeptRun => ({
  id: Number(row['id']),
  run: String(row['run']),
  scenario: String(row['scenario']),
  seed: Number(row['seed']),
  startedAt: String(row['started_at']),
  ...(row['ended_at'] === null ? {} : { endedAt: String(row['ended_at']) }),
})

export const storedRun = (row: Row): StoredRun => ({
  ...keptRun(row),
  scenarioDocument: String(row['scenario_document']),
  folder: String(row['folder'] ?? '.'),
  log: String(row['log']),
  ...(row['summary'] === null ? {} : { summary: String(row['summary']) }),
})
