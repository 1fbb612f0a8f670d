import { execFile, execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../src/startServer.ts'
import { hostFake } from './fakeRun.ts'

const run = promisify(execFile)
const example = (path: string): string => fileURLToPath(new URL(`../../../examples/${path}`, import.meta.url))

function hasPython(): boolean {
  try {
    execFileSync('python3', ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

let server: RunningServer
beforeEach(async () => {
  server = await startServer({ port: 0 })
  await server.openRun('demo', hostFake(10))
})
afterEach(() => server.close())

describe('viewers that others wrote', () => {
  const python = hasPython()
  if (!python) console.warn('There is no python3 here: the viewer in plain Python is not tried.')

  it.skipIf(!python)('plain Python, from the protocol document alone (skipped without python3)', async () => {
    const { stdout } = await run('python3', [example('viewer-python/viewer.py'), server.url, '15'], { timeout: 20_000 })
    expect(stdout).toContain('watching demo: none')
    expect(stdout).toContain('ack: 1')
    expect(stdout).toMatch(/TTFT p99 125 ms {2}\d+ tokens\/s/)
  })

  it('twenty lines over the client package', async () => {
    const main = example('stream-metrics/main.ts')
    const { stdout } = await run(process.execPath, ['--conditions=@windtunnel/source', main, server.url, '12'], {
      timeout: 20_000,
    })
    expect(stdout.match(/TTFT p50 125\.\d ms/g)?.length).toBeGreaterThanOrEqual(8)
  })
})

describe('the engine inside another program', () => {
  it('runs without a server: a third replica takes the queue away', async () => {
    const { stdout } = await run(process.execPath, ['--conditions=@windtunnel/source', example('embed-engine/main.ts')])
    const tails = [...stdout.matchAll(/TTFT p99 (\d+) ms/g)].map((match) => Number(match[1]))
    expect(tails).toHaveLength(3)
    expect(tails).toEqual([...tails].sort((a, b) => b - a))
  })
})
