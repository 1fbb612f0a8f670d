import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const main = join(import.meta.dirname, '..', 'src', 'main.ts')
let folder = ''

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'windtunnel-decisions-'))
})

afterAll(() => {
  rmSync(folder, { recursive: true })
})

function facts(...flags: string[]): { factsHash: string; requests: { arrived: number } } {
  const words = ['--conditions=@windtunnel/source', '--no-warnings', main, 'run', 'shared-prefix-routing']
  const { stdout, status } = spawnSync(process.execPath, [...words, '--duration', '5', '--json', ...flags], {
    encoding: 'utf8',
    cwd: folder,
  })
  expect(status).toBe(0)
  return JSON.parse(stdout)
}

describe('windtunnel run --decisions', () => {
  it('writes every choice with its reason and the scores of all replicas, and changes nothing', () => {
    const traced = facts('--decisions', 'choices.jsonl')
    expect(traced.factsHash).toBe(facts().factsHash)
    const lines = readFileSync(join(folder, 'choices.jsonl'), 'utf8').trimEnd().split('\n')
    const decisions = lines.map((line) => JSON.parse(line))
    expect(decisions).toHaveLength(traced.requests.arrived)
    for (const [at, { request, replica, reason, scores }] of decisions.entries()) {
      expect(request).toBe(at)
      expect(reason).toMatch(/^\d+ of \d+ prompt tokens cached, \d+ requests outstanding$/)
      const least = Math.min(...scores.map(([, score]: [number, number]) => score))
      expect(scores.find(([, score]: [number, number]) => score === least)[0]).toBe(replica)
    }
  })
})
