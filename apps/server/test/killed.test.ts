import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Frame } from '@windtunnel/protocol'
import { afterAll, expect, it } from 'vitest'
import { connect } from '../../../packages/client/src/client.ts'
import { openStore } from '../src/store/openStore.ts'

const folder = mkdtempSync(join(tmpdir(), 'windtunnel-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A server in a process of its own that plays the demo and keeps it; resolves with its address. */
async function start(store: string) {
  const module = new URL('../src/serve.ts', import.meta.url).href
  const program = `
    const { serve } = await import('${module}')
    const { presetText } = await import('@windtunnel/scenario/presets/index')
    const { readScenario } = await import('@windtunnel/scenario/schema/decode')
    await serve({ scenario: readScenario(presetText('demo-chat')), port: 0, speed: 10, storeAt: ${JSON.stringify(store)} })`
  const options = ['--conditions=@windtunnel/source', '--input-type=module', '-e', program]
  const child = spawn(process.execPath, options, {
    cwd: fileURLToPath(new URL('..', import.meta.url)),
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  const url = await new Promise<string>((resolve, reject) => {
    let said = ''
    child.stdout.on('data', (piece) => {
      said += piece
      const found = /http:\S+/.exec(said)?.[0]
      if (found !== undefined) resolve(found)
    })
    child.on('exit', () => reject(new Error(`the server ended: ${said}`)))
  })
  return { child, url }
}

it('a server that is killed loses at most the last second of a run, keeps its commands, and the store stays whole', async () => {
  const path = join(folder, 'runs.sqlite')
  const { child, url } = await start(path)
  const client = connect({ url })
  let last: Frame | undefined
  client.on('frame', (frame) => {
    last = frame
  })
  for await (const message of client.messages()) if (message.type === 'frame' && message.wall > 1) break
  await client.send({ type: 'rate', requestsPerSecond: 5 })
  for await (const message of client.messages()) if (message.type === 'frame' && message.wall > 3.5) break
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  await gone
  client.close()
  const store = await openStore(path)
  const [kept] = await store.list()
  const frames = (await store.frames(kept!.id)).map((text) => JSON.parse(text) as Frame)
  // A quarter of a second between two writes, and 0.2 s between two frames of the series; the rest is room for a busy machine.
  expect(last!.wall - frames.at(-1)!.wall).toBeLessThan(1)
  expect(frames.length).toBeGreaterThanOrEqual(2)
  expect(kept!.endedAt).toBeUndefined()
  const { log } = (await store.find(kept!.id))!
  expect(JSON.parse(log).commands).toMatchObject([{ command: { kind: 'rate', requestsPerSecond: 5 } }])
  expect((await store.events(kept!.id)).join('')).toContain('rate 8 to 5 sessions/s')
  await store.close()
})
