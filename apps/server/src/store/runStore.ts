import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync, type StatementSync } from 'node:sqlite'
import type { KeptRun } from '@windtunnel/protocol'

export interface KeptDocuments {
  /** The checked scenario, JSON. */
  readonly scenarioDocument: string
  /** Seed and command log, JSON. */
  readonly log: string
  /** JSON; absent for a run that never ended. */
  readonly summary?: string
}

const SCHEMA = `
  CREATE TABLE IF NOT EXISTS runs (
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
  ) WITHOUT ROWID;
`

/** Keeps the latest so many runs. */
const FORGET_OLDEST = 'DELETE FROM runs WHERE id NOT IN (SELECT id FROM runs ORDER BY id DESC LIMIT ?)'
const MOST_KEPT = 500

interface Row {
  readonly [column: string]: unknown
}

/**
 * Runs kept in one SQLite file. Writes go to a write-ahead log, so that a killed process leaves a store that is whole and
 * lacks at most what was not yet written.
 */
export class RunStore {
  readonly #database: DatabaseSync
  readonly #addRun: StatementSync
  readonly #addFrame: StatementSync
  readonly #most: number

  /** `path`: a file, made with its folder when it is not there, or ":memory:". Beyond `most` runs the oldest go. */
  constructor(path: string, most = MOST_KEPT) {
    this.#most = most
    if (path !== ':memory:') mkdirSync(dirname(path), { recursive: true })
    this.#database = new DatabaseSync(path)
    this.#database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA foreign_keys = ON;')
    this.#database.exec(SCHEMA)
    this.#addRun = this.#database.prepare(
      'INSERT INTO runs (run, scenario, seed, started_at, scenario_document, log) VALUES (?, ?, ?, ?, ?, ?)',
    )
    this.#addFrame = this.#database.prepare('INSERT OR REPLACE INTO frames (run_id, seq, frame) VALUES (?, ?, ?)')
  }

  /** Begins to keep a run; returns its id. */
  begin(run: Omit<KeptRun, 'id' | 'endedAt'>, scenarioDocument: string): number {
    const log = JSON.stringify({ seed: run.seed, commands: [] })
    const { lastInsertRowid } = this.#addRun.run(run.run, run.scenario, run.seed, run.startedAt, scenarioDocument, log)
    this.#database.prepare(FORGET_OLDEST).run(this.#most)
    return Number(lastInsertRowid)
  }

  /** Adds frames in one transaction. */
  addFrames(id: number, frames: readonly { readonly seq: number; readonly text: string }[]): void {
    this.#database.exec('BEGIN')
    try {
      for (const { seq, text } of frames) this.#addFrame.run(id, seq, text)
      this.#database.exec('COMMIT')
    } catch (cause) {
      this.#database.exec('ROLLBACK')
      throw cause
    }
  }

  setLog(id: number, log: string): void {
    this.#database.prepare('UPDATE runs SET log = ? WHERE id = ?').run(log, id)
  }

  end(id: number, endedAt: string, summary: string | undefined): void {
    this.#database.prepare('UPDATE runs SET ended_at = ?, summary = ? WHERE id = ?').run(endedAt, summary ?? null, id)
  }

  /** The latest first. */
  list(): KeptRun[] {
    const rows = this.#database
      .prepare('SELECT id, run, scenario, seed, started_at, ended_at FROM runs ORDER BY id DESC')
      .all()
    return rows.map(keptRun)
  }

  find(id: number): (KeptRun & KeptDocuments) | undefined {
    const row: Row | undefined = this.#database.prepare('SELECT * FROM runs WHERE id = ?').get(id)
    if (row === undefined) return undefined
    const { scenario_document: scenarioDocument, log, summary } = row
    return {
      ...keptRun(row),
      scenarioDocument: String(scenarioDocument),
      log: String(log),
      ...(summary === null ? {} : { summary: String(summary) }),
    }
  }

  /** Frames without replicas, oldest first, JSON text. */
  frames(id: number): string[] {
    const rows: Row[] = this.#database.prepare('SELECT frame FROM frames WHERE run_id = ? ORDER BY seq').all(id)
    return rows.map(({ frame }) => String(frame))
  }

  /** Whether there was such a run. */
  delete(id: number): boolean {
    return this.#database.prepare('DELETE FROM runs WHERE id = ?').run(id).changes > 0
  }

  close(): void {
    this.#database.close()
  }
}

const keptRun = (row: Row): KeptRun => ({
  id: Number(row['id']),
  run: String(row['run']),
  scenario: String(row['scenario']),
  seed: Number(row['seed']),
  startedAt: String(row['started_at']),
  ...(row['ended_at'] === null ? {} : { endedAt: String(row['ended_at']) }),
})
