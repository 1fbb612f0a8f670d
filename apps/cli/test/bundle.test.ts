import { spawn, spawnSync } from 'node:child_process'
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { RunRecorder } from '@windtunnel/metrics/summary/runRecorder'
import { buildRun } from '@windtunnel/scenario/build/buildRun'
import { labelsOf } from '@windtunnel/scenario/build/labels'
import { runBatch } from '@windtunnel/scenario/drivers/batch'
import { presetText } from '@windtunnel/scenario/presets/index'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import type { Scenario } from '@windtunnel/scenario/schema/scenario'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bundleBench, bundleCommand } from '../../../scripts/bundle.ts'

const folder = mkdtempSync(join(tmpdir(), 'windtunnel-bundle-'))
afterAll(() => rmSync(folder, { recursive: true }))

function node(...args: string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8', cwd: folder })
  return { status, stdout, stderr }
}

const seconds = 20
const demo = (): Scenario => readScenario(presetText('demo-chat')!)

/** The facts hash of the demo, from the sources. */
function demoHash(scenario = demo()): string {
  const run = buildRun(scenario)
  const recorder = new RunRecorder({ objectives: run.objectives })
  recorder.attach(run.simulation)
  runBatch(run.simulation, { durationSeconds: seconds })
  return recorder.document(run.simulation, labelsOf(run, 1)).factsHash
}

describe('the bundle', () => {
  const main = join(folder, 'bundle', 'main.js')
  beforeAll(() => Promise.all([bundleCommand(dirname(main)), bundleBench(folder)]), 120_000)

  it('gives the facts that the sources give, and so does the engine alone', () => {
    const { stdout, stderr } = node(main, 'run', 'demo-chat', '--duration', `${seconds}`, '--json')
    expect(stderr).toBe('')
    expect(JSON.parse(stdout).factsHash).toBe(demoHash())
    const scenario = { ...demo(), run: { ...demo().run, durationSeconds: seconds } }
    const alone = spawnSync(process.execPath, [join(folder, 'simulate.js')], {
      encoding: 'utf8',
      input: JSON.stringify({ scenario }),
    })
    expect(JSON.parse(alone.stdout).factsHash).toBe(demoHash())
  })

  it('runs the engine without any package of others', () => {
    const { sources } = JSON.parse(readFileSync(join(folder, 'simulate.js.map'), 'utf8')) as { sources: string[] }
    expect(sources.some((path) => path.endsWith('/scenario/src/build/buildRun.ts'))).toBe(true)
    expect(sources.filter((path) => path.includes('node_modules'))).toEqual([])
  })

  it('compares on threads', () => {
    const words = ['--seeds', '2', '--duration', `${seconds}`, '--threads', '2', '--json']
    const { stdout, stderr } = node(main, 'compare', 'demo-chat', '--vary', 'seed=1,2', ...words)
    expect(JSON.parse(stdout || stderr).factsHashes.flat()).toContain(demoHash())
  })

  it('plays a live run in a thread', async () => {
    const server = spawn(process.execPath, [main, 'serve', '--port', '0'], { cwd: folder })
    try {
      const url = await new Promise<string>((resolve, reject) => {
        let said = ''
        const listen = (piece: Buffer): void => {
          said += piece.toString()
          const found = /http:\S+/.exec(said)?.[0]
          if (found !== undefined) resolve(found)
        }
        server.stdout.on('data', listen)
        server.stderr.on('data', listen)
        server.on('exit', () => reject(new Error(`the server ended: ${said}`)))
      })
      const [run] = (await (await fetch(`${url}api/runs`)).json()) as { scenario: string; state: string }[]
      expect(run).toMatchObject({ scenario: 'demo-chat', state: 'running' })
    } finally {
      server.kill()
    }
  })
})

describe('the launcher', () => {
  const built = new Date('2026-01-01T12:00:00Z')
  const later = new Date('2026-01-01T12:00:01Z')
  const at = (path: string): string => join(folder, 'tree', path)
  const put = (path: string, text: string, when: Date): void => {
    mkdirSync(dirname(at(path)), { recursive: true })
    writeFileSync(at(path), text)
    utimesSync(at(path), when, when)
  }
  const started = (): string => node(at('apps/cli/launcher.cjs')).stdout

  beforeAll(() => {
    put('node_modules/.here', '', built)
    put('package.json', '{ "type": "module" }', built)
    put('apps/cli/dist/main.js', "process.stdout.write('compiled')", built)
    put('apps/cli/dist/.tsbuildinfo', '', built)
    put('packages/des/dist/.tsbuildinfo', '', built)
    copyFileSync(join(import.meta.dirname, '../launcher.cjs'), at('apps/cli/launcher.cjs'))
  })

  it('starts what is compiled where there is no bundle', () => {
    expect(started()).toBe('compiled')
  })

  it('starts a bundle that is as new as all that is compiled', () => {
    put('apps/cli/dist/bundle/main.js', "process.stdout.write('bundled')", built)
    expect(started()).toBe('bundled')
  })

  it('does not start a bundle of before the last compilation of any package', () => {
    put('packages/des/dist/.tsbuildinfo', '', later)
    expect(started()).toBe('compiled')
  })
})
