import type { KeptRun } from '@windtunnel/protocol'
import postgres from 'postgres'
import { emptyLog, MOST_KEPT, type NewRun, type RunBatch, type RunStore, type StoredRun } from './runStore.ts'
import { keptRun, type Row, storedRun } from './storedRow.ts'

/** Any number that no other program uses for its advisory locks: servers that start together make the tables in turn. */
const SCHEMA_LOCK = 7_305_417_362

const CONNECTIONS = 4
const CONNECT_SECONDS = 10

/** Runs kept in a PostgreSQL database, in a schema of their own named `windtunnel`. Several servers may share it. */
export class PostgresStore implements RunStore {
  readonly #sql: postgres.Sql
  readonly #most: number

  private constructor(sql: postgres.Sql, most: number) {
    this.#sql = sql
    this.#most = most
  }

  /** Connects and makes the tables where they are missing. `address`: `postgres://user:password@host:port/database`. */
  static async open(address: string, most = MOST_KEPT): Promise<PostgresStore> {
    const sql = postgres(address, { max: CONNECTIONS, connect_timeout: CONNECT_SECONDS, onnotice: () => undefined })
    try {
      await sql.begin(makeTables)
      return new PostgresStore(sql, most)
    } catch (cause) {
      await sql.end({ timeout: 1 })
      throw cause
    }
  }

  begin(run: NewRun): Promise<number> {
    const { run: name, scenario, seed, startedAt, scenarioDocument, folder } = run
    return this.#sql.begin(async (sql) => {
      const [added] = await sql<Row[]>`
        INSERT INTO windtunnel.runs (run, scenario, seed, started_at, scenario_document, log, folder)
        VALUES (${name}, ${scenario}, ${seed}, ${startedAt}, ${scenarioDocument}, ${emptyLog(seed)}, ${folder})
        RETURNING id`
      await sql`
        DELETE FROM windtunnel.runs
        WHERE id NOT IN (SELECT id FROM windtunnel.runs ORDER BY id DESC LIMIT ${this.#most})`
      return Number(added?.['id'])
    })
  }

  async write(id: number, { frames = [], events = [], log, frameStep }: RunBatch): Promise<void> {
    await this.#sql.begin(async (sql) => {
      const found = await sql`SELECT id FROM windtunnel.runs WHERE id = ${id} FOR KEY SHARE`
      if (found.length === 0) return
      if (frameStep !== undefined)
        await sql`DELETE FROM windtunnel.frames WHERE run_id = ${id} AND seq % ${frameStep} <> 0`
      for (const { seq, text } of frames)
        await sql`
          INSERT INTO windtunnel.frames (run_id, seq, frame) VALUES (${id}, ${seq}, ${text})
          ON CONFLICT (run_id, seq) DO UPDATE SET frame = excluded.frame`
      for (const { seq, text } of events)
        await sql`
          INSERT INTO windtunnel.events (run_id, seq, event) VALUES (${id}, ${seq}, ${text})
          ON CONFLICT (run_id, seq) DO UPDATE SET event = excluded.event`
      if (log !== undefined) await sql`UPDATE windtunnel.runs SET log = ${log} WHERE id = ${id}`
    })
  }

  async end(id: number, endedAt: string, summary: string | undefined): Promise<void> {
    await this.#sql`
      UPDATE windtunnel.runs SET ended_at = ${endedAt}, summary = ${summary ?? null} WHERE id = ${id}`
  }

  async list(): Promise<KeptRun[]> {
    const rows = await this.#sql<Row[]>`
      SELECT id, run, scenario, seed, started_at, ended_at FROM windtunnel.runs ORDER BY id DESC`
    return rows.map(keptRun)
  }

  async find(id: number): Promise<StoredRun | undefined> {
    const [row] = await this.#sql<Row[]>`SELECT * FROM windtunnel.runs WHERE id = ${id}`
    return row === undefined ? undefined : storedRun(row)
  }

  async frames(id: number): Promise<string[]> {
    const rows = await this.#sql<Row[]>`SELECT frame FROM windtunnel.frames WHERE run_id = ${id} ORDER BY seq`
    return rows.map(({ frame }) => String(frame))
  }

  async events(id: number): Promise<string[]> {
    const rows = await this.#sql<Row[]>`SELECT event FROM windtunnel.events WHERE run_id = ${id} ORDER BY seq`
    return rows.map(({ event }) => String(event))
  }

  async delete(id: number): Promise<boolean> {
    const deleted = await this.#sql`DELETE FROM windtunnel.runs WHERE id = ${id}`
    return deleted.count > 0
  }

  async close(): Promise<void> {
    await this.#sql.end({ timeout: 5 })
  }
}

async function makeTables(sql: postgres.TransactionSql): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${SCHEMA_LOCK})`
  await sql`CREATE SCHEMA IF NOT EXISTS windtunnel`
  await sql`
    CREATE TABLE IF NOT EXISTS windtunnel.runs (
      id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
      run text NOT NULL,
      scenario text NOT NULL,
      seed bigint NOT NULL,
      started_at text NOT NULL,
      ended_at text,
      scenario_document text NOT NULL,
      log text NOT NULL,
      summary text,
      folder text NOT NULL
    )`
  await sql`
    CREATE TABLE IF NOT EXISTS windtunnel.frames (
      run_id bigint NOT NULL REFERENCES windtunnel.runs(id) ON DELETE CASCADE,
      seq bigint NOT NULL,
      frame text NOT NULL,
      PRIMARY KEY (run_id, seq)
    )`
  await sql`
    CREATE TABLE IF NOT EXISTS windtunnel.events (
      run_id bigint NOT NULL REFERENCES windtunnel.runs(id) ON DELETE CASCADE,
      seq bigint NOT NULL,
      event text NOT NULL,
      PRIMARY KEY (run_id, seq)
    )`
}
