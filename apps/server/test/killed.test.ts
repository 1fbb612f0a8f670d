import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Frame } from '@windtunnel/protocol'
import { afterAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { connect } from '../../../packages/client/src/client.ts'
import { openStore } from '../src/store/openStore.ts'
import { startProcess } from './serverProcess.ts'

const folder = mkdtempSync(join(tmpdir(), 'windtunnel-killed-'))
afterAll(() => rmSync(folder, { recursive: true }))

it('a server that is killed loses at most the last second of a run, keeps its commands, and the store stays whole', async () => {
  const path = join(folder, 'runs.sqlite')
  const { child, url } = await startProcess(path)
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
  // The bound of a second is proved with the keeper's own test; here a busy machine has room.
  expect(last!.wall - frames.at(-1)!.wall).toBeLessThan(2)
  expect(frames.length).toBeGreaterThanOrEqual(2)
  expect(kept!.endedAt).toBeUndefined()
  const { log } = (await store.find(kept!.id))!
  expect(JSON.parse(log).commands).toMatchObject([{ command: { kind: 'rate', requestsPerSecond: 5 } }])
  expect((await store.events(kept!.id)).join('')).toContain('rate 8 to 5 sessions/s')
  await store.close()
})

it('a server that is told to stop says goodbye to its viewers, keeps the figures of its runs, and ends with 0', async () => {
  const path = join(folder, 'stopped.sqlite')
  const { child, url } = await startProcess(path)
  const viewers = Array.from({ length: 5 }, () => new WebSocket(`${url.replace('http', 'ws')}api/stream`))
  const codes = viewers.map((viewer) => new Promise((resolve) => viewer.on('close', resolve)))
  const heard = viewers.map((viewer) => new Promise((resolve) => viewer.on('message', resolve)))
  const errors: string[] = []
  for (const viewer of viewers)
    viewer.on('message', (text) => {
      if (String(text).startsWith('{"type":"error"')) errors.push(String(text))
    })
  await Promise.all(heard)
  const gone = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGTERM')
  expect(await gone).toBe(0)
  expect(await Promise.all(codes)).toEqual([1001, 1001, 1001, 1001, 1001])
  expect(errors).toEqual([])
  const store = await openStore(path)
  const [kept] = await store.list()
  expect(kept!.endedAt).toBeDefined()
  expect(JSON.parse((await store.find(kept!.id))!.summary!)).toMatchObject({ version: 1, scenario: 'demo-chat' })
  await store.close()
})
