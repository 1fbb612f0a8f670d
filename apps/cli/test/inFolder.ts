import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, vi } from 'vitest'
import { runCommandLine } from '../src/program.ts'

export interface Told {
  readonly status: number
  readonly stdout: string
  readonly stderr: string
}

/** A folder of its own for a test file, in which the command runs within this process. It is removed at the end. */
export function commandFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'windtunnel-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  return {
    folder,
    write: (name: string, content: string | Uint8Array): void => writeFileSync(join(folder, name), content),
    windtunnel: (...args: string[]): Promise<Told> => told(folder, args),
  }
}

async function told(folder: string, args: readonly string[]): Promise<Told> {
  const words = { stdout: '', stderr: '' }
  const taking = (stream: keyof typeof words) => (chunk: unknown, done?: unknown) => {
    words[stream] += String(chunk)
    if (typeof done === 'function') done()
    return true
  }
  const spies = [
    vi.spyOn(process.stdout, 'write').mockImplementation(taking('stdout')),
    vi.spyOn(process.stderr, 'write').mockImplementation(taking('stderr')),
    vi.spyOn(console, 'log').mockImplementation(taking('stdout')),
    vi.spyOn(console, 'error').mockImplementation(taking('stderr')),
  ]
  const here = process.cwd()
  process.chdir(folder)
  try {
    return { status: await runCommandLine(args), ...words }
  } finally {
    process.chdir(here)
    for (const spy of spies) spy.mockRestore()
  }
}

/** Two H100 replicas of a small model at datasheet peaks: a base for traffic of any kind. */
export const plainScenario = `version: 1
name: plain
model: llama-3.1-8b
cost: roofline
objectives: { default: { ttftSeconds: 1, tpotSeconds: 0.1 } }
fleet: [{ hardware: h100, replicas: 2 }]
traffic:
  arrivals: { name: poisson, requestsPerSecond: 20 }
  structure: { name: single, input: { name: uniform, minimum: 50, maximum: 4000 }, output: { name: uniform, minimum: 1, maximum: 80 } }
run: { maxRequests: 200 }
`
