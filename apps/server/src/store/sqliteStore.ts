import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { KeptRun } from '@windtunnel/protocol'
import { emptyLog, MOST_KEPT, type NewRun, type RunBatch, type RunStore, type StoredRun } from './runStore.ts'
import { keptRun, type Row, storedRun } from './storedRow.ts'

/** Steps from an empty file to the present tables; `user_version` counts those that were done. */
const MIGRATIONS: readonly string[] = [
  `CREATE TABLE IF NOT EXISTS runs (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     run TEXT NOT NULL,
     scenario TEXT NOT NULL,
     seed INTEGER NOT NULL,
     started_at TEXT NOT NULL,
     ended_at TEXT,
     scenario_document TEXT NOT NULL,
     log TEXT NOT NULL,
     summary TEXT
   );
   CREATE TABLE IF NOT EXISTS frames (
     run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     frame TEXT NOT NULL,
     PRIMARY KEY (run_id, seq)
   ) WITHOUT ROWID;`,
  `ALTER TABLE runs ADD COLUMN folder TEXT;
   CREATE TABLE events (
     run_id INTEGER NOT NULL REFERENCES runs(id) ON DELETE CASCADE,
     seq INTEGER NOT NULL,
     event TEXT NOT NULL,
     PRIMARY KEY (run_id, seq)
   ) WITHOUT ROWID;`,
]

const ADD_RUN = `INSERT INTO runs (run, scenario, seed, started_at, scenario_document, log, folder)
  VALUES (?, ?, ?, ?, ?, ?, ?)`
const FORGET_OLDEST = 'DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?)'

/** How long a write waits for another process that uses the same file, milliseconds. */
const BUSY_MILLISECONDS = 2000

/**
 * Runs kept in one SQLite file. Writes go to a write-ahead log, so that a killed process leaves a store that is whole and
 * lacks at most what was not yet written.
 */
export class SqliteStore implements RunStore {
  readonly #database: DatabaseSync
  readonly #addFrame: StatementSync
  readonly #addEvent: StatementSync
  readonly #most: number

  /** `path`: a file, made with its folder when it is not there, or ":memory:". Throws when it cannot be opened. */
  constructor(path: string, most = MOST_KEPT) {
    this.#most = most
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
    this.#database = new DatabaseSync(path)
    this.#database.exec(
      `PRAGMA busy_timeout = ${BUSY_MILLISECONDS}; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;`,
    )
    this.#migrate()
    const into = (table: string, column: string): StatementSync =>
      this.#database.prepare(
        `INSERT OR REPLACE INTO ${table} (run_id, seq, ${column}) SELECT id, ?, ? FROM runs WHERE id = ?`,
      )
    this.#addFrame = into('frames', 'frame')
    this.#addEvent = into('events', 'event')
  }

  async begin(run: NewRun): Promise<number> {
    const { run: name, scenario, seed, startedAt, scenarioDocument, folder } = run
    return this.#whole(() => {
      const added = this.#database
        .prepare(ADD_RUN)
        .run(name, scenario, seed, startedAt, scenarioDocument, emptyLog(seed), folder)
      this.#database.prepare(FORGET_OLDEST).run(this.#most)
      return Number(added.lastInsertRowid)
    })
  }

  async write(id: number, { frames = [], events = [], log, frameStep }: RunBatch): Promise<void> {
    this.#whole(() => {
      if (frameStep !== undefined)
        this.#database.prepare('DELETE FROM frames WHERE run_id = ? AND seq % ? <> 0').run(id, frameStep)
      for (const { seq, text } of frames) this.#addFrame.run(seq, text, id)
      for (const { seq, text } of events) this.#addEvent.run(seq, text, id)
      if (log !== undefined) this.#database.prepare('UPDATE runs SET log = ? WHERE id = ?').run(log, id)
    })
  }

  async end(id: number, endedAt: string, summary: string | undefined): Promise<void> {
    this.#database.prepare('UPDATE runs SET ended_at = ?, summary = ? WHERE id = ?').run(endedAt, summary ?? null, id)
  }

  async list(): Promise<KeptRun[]> {
    const columns = 'id, run, scenario, seed, started_at, ended_at'
    return this.#database.prepare(`SELECT ${columns} FROM runs ORDER BY id DESC`).all().map(keptRun)
  }

  async find(id: number): Promise<StoredRun | undefined> {
    const row: Row | undefined = this.#database.prepare('SELECT * FROM runs WHERE id = ?').get(id)
    return row === undefined ? undefined : storedRun(row)
  }

  async frames(id: number): Promise<string[]> {
    const rows: Row[] = this.#database.prepare('SELECT frame FROM frames WHERE run_id = ? ORDER BY seq').all(id)
    return rows.map(({ frame }) => String(frame))
  }

  async events(id: number): Promise<string[]> {
    const rows: Row[] = this.#database.prepare('SELECT event FROM events WHERE run_id = ? ORDER BY seq').all(id)
    return rows.map(({ event }) => String(event))
  }

  async delete(id: number): Promise<boolean> {
    return this.#database.prepare('DELETE FROM runs WHERE id = ?').run(id).changes > 0
  }

  async close(): Promise<void> {
    if (this.#database.isOpen) this.#database.close()
  }

  /** In one transaction, so that of two servers that open a new file at once one makes the tables and the other waits. */
  #migrate(): void {
    this.#whole(() => {
      const row: Row | undefined = this.#database.prepare('PRAGMA user_version').get()
      const done = Number(row?.['user_version'] ?? 0)
      if (done > MIGRATIONS.length)
        throw new Error(
          `The store was written by a later version (${done}, known: ${MIGRATIONS.length}); use that one.`,
        )
      for (const step of MIGRATIONS.slice(done)) this.#database.exec(step)
      this.#database.exec(`PRAGMA user_version = ${MIGRATIONS.length}`)
    })
  }

  /** Does all of it or nothing. */
  #whole<T>(work: () => T): T {
    this.#database.exec('BEGIN IMMEDIATE')
    try {
      const result = work()
      this.#database.exec('COMMIT')
      return result
    } catch (cause) {
      // A full disk has ended the transaction already.
      if (this.#database.isTransaction !== false) this.#database.exec('ROLLBACK')
      throw cause
    }
  }
}
