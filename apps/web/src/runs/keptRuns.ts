import type { Frame, RunSummary } from '@windtunnel/protocol'
import { askServer } from '../shell/server.ts'

/** A run that the server keeps, as it lists it. Times are ISO 8601. */
export interface KeptRun {
  id: number
  run: string
  scenario: string
  seed: number
  startedAt: string
  /** Absent while it lives, and for ever when the server died. */
  endedAt?: string
}

export interface KeptDocument {
  kept: KeptRun
  /** The checked scenario, every default filled in. */
  scenario: Record<string, unknown>
  log: { seed: number; commands: unknown[] }
  summary: RunSummary | null
}

const json = (body: unknown): RequestInit => ({
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
})

export const listKept = (): Promise<KeptRun[]> => askServer<KeptRun[]>('/api/kept')
export const readKept = (id: number): Promise<KeptDocument> => askServer<KeptDocument>(`/api/kept/${id}`)
export const readKeptFrames = (id: number): Promise<Frame[]> => askServer<Frame[]>(`/api/kept/${id}/frames`)
export const deleteKept = (id: number): Promise<unknown> => askServer(`/api/kept/${id}`, { method: 'DELETE' })

/** Opens a kept run again on the server, with its commands at their times; resolves with the name of the new run. */
export const reopenKept = async (id: number): Promise<string> =>
  (await askServer<{ run: string }>(`/api/kept/${id}/reopen`, { ...json({ speed: 10, start: true }), method: 'POST' }))
    .run

/** Opens a run on the server; resolves with its name. */
export const openRun = async (wish: { preset: string } | { scenario: string }): Promise<string> =>
  (await askServer<{ run: string }>('/api/runs', { ...json({ ...wish, speed: 10 }), method: 'POST' })).run

export const closeRun = (run: string): Promise<unknown> =>
  askServer(`/api/runs/${encodeURIComponent(run)}`, { method: 'DELETE' })
