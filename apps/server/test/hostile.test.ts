import { connect as connectTcp, type Socket } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import type { OpenHost } from '../src/run/liveRuns.ts'
import { LiveRuns } from '../src/run/liveRuns.ts'
import type { RunNews } from '../src/run/runNews.ts'
import { type RunningServer, type ServerOptions, startServer } from '../src/startServer.ts'
import { SqliteStore } from '../src/store/sqliteStore.ts'
import { hostFake } from './fakeRun.ts'
import { newRun } from './store/storeContract.ts'

let server: RunningServer
const open: Socket[] = []
afterEach(async () => {
  for (const socket of open.splice(0)) socket.destroy()
  await server.close()
})

async function start(options: ServerOptions = {}): Promise<void> {
  server = await startServer({ port: 0, ...options })
  await server.openRun('demo', hostFake(10))
}

function dial(): Socket {
  const socket = connectTcp(server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  open.push(socket)
  return socket
}
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.on('close', () => resolve()))

/** A viewer, and what it has been told. */
function view(query = '', headers: Record<string, string> = {}) {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/stream${query}`, { headers })
  const told: Record<string, unknown>[] = []
  const waiting: (() => void)[] = []
  socket.on('message', (text) => {
    told.push(JSON.parse(text.toString()))
    for (const look of waiting) look()
  })
  const find = (test: (message: Record<string, unknown>) => boolean): Promise<Record<string, unknown>> =>
    new Promise((resolve) => {
      const look = (): void => {
        const found = told.find(test)
        if (found !== undefined) resolve(found)
      }
      waiting.push(look)
      look()
    })
  return { socket, told, find, status: () => refusal(socket) }
}
const refusal = (socket: WebSocket): Promise<number | undefined> =>
  new Promise((resolve) => socket.on('unexpected-response', (_, response) => resolve(response.statusCode)))

describe('connections that do nothing', () => {
  it('are closed when nothing comes for a while; those of viewers stay', async () => {
    await start({ limits: { silentSeconds: 0.2 } })
    const { socket, find } = view()
    const silent = [dial(), dial()]
    silent[1]!.write('GET /api/health HTTP/1.1\r\nHost: 127')
    await Promise.all(silent.map(closed))
    await find(({ type, wall }) => type === 'frame' && Number(wall) > 0.5)
    expect(socket.readyState).toBe(socket.OPEN)
    socket.terminate()
  })

  it('beyond the most there may be are closed at once, and the server goes on', async () => {
    await start({ limits: { connections: 3 } })
    const some = Array.from({ length: 3 }, dial)
    await Promise.all(some.map((socket) => new Promise((resolve) => socket.on('connect', resolve))))
    await closed(dial())
    for (const socket of some) socket.destroy()
    await Promise.all(some.map(closed))
    expect((await fetch(`${server.url}api/health`)).status).toBe(200)
  })
})

describe('a run that is taken away', () => {
  it('is told to those who watch it and those who wait for an answer; they can watch another', async () => {
    await start()
    await server.openRun('mute', async (_, tell) => {
      const host = await hostFake(1)('mute', tell)
      return { ...host, send: () => undefined }
    })
    const { socket, find } = view('?run=mute')
    await find(({ type }) => type === 'hello')
    socket.send('{"type":"pause","id":"waits"}')
    await fetch(`${server.url}api/runs/mute`, { method: 'DELETE' })
    expect(await find(({ id }) => id === 'waits')).toMatchObject({ type: 'error', message: /taken away/ })
    expect(await find(({ code }) => code === 'unknownRun')).toMatchObject({ run: 'mute', message: /taken away/ })
    socket.send('{"type":"pause","id":"later"}')
    expect(await find(({ id }) => id === 'later')).toMatchObject({ type: 'error', message: /taken away/ })
    socket.send('{"type":"watch","id":"other","run":"demo"}')
    expect(await find(({ id }) => id === 'other')).toMatchObject({ type: 'ack', run: 'demo' })
    socket.terminate()
  })

  it('before it is open leaves nothing behind', async () => {
    await start()
    const runs = new LiveRuns({})
    let opened: (() => void) | undefined
    let hostClosed = false
    const slow: OpenHost = () =>
      new Promise((resolve) => {
        opened = () =>
          resolve({
            send: () => undefined,
            close: async () => {
              hostClosed = true
            },
          })
      })
    const opening = runs.open('slow', slow)
    expect(await runs.remove('slow')).toBe(true)
    opened?.()
    await expect(opening).rejects.toThrow('taken away')
    expect(hostClosed).toBe(true)
    expect(runs.directory.all()).toEqual([])
  })
})

describe('a run that is not open yet', () => {
  it('greets those who came early once, when it has begun', async () => {
    server = await startServer({ port: 0 })
    let go: (() => void) | undefined
    const ready = new Promise<void>((resolve) => {
      go = resolve
    })
    const opening = server.openRun('late', (run, tell) => ready.then(() => hostFake(10)(run, tell)))
    const early = view()
    await new Promise((resolve) => early.socket.on('open', resolve))
    early.socket.send('{"type":"pause","id":"soon"}')
    expect(await early.find(({ id }) => id === 'soon')).toMatchObject({ message: /not open yet/ })
    go?.()
    await opening
    expect(await early.find(({ type }) => type === 'hello')).toMatchObject({ run: 'late', scenario: { name: 'fake' } })
    await early.find(({ type, seq }) => type === 'frame' && Number(seq) >= 3)
    expect(early.told.filter(({ type }) => type === 'hello')).toHaveLength(1)
    early.socket.terminate()
  })
})

describe('what a hostile client sends', () => {
  it('is refused where its page or host name is not ours', async () => {
    await start()
    for (const headers of [
      { origin: 'null' },
      { origin: 'file://' },
      { origin: 'http://evil.example' },
      { host: 'evil' },
    ])
      expect(await view('', headers).status()).toBe(403)
  })

  it('is refused where a number leaves what a run can bear', async () => {
    await start()
    const { socket, find } = view()
    await find(({ type }) => type === 'hello')
    const bad = [
      '"type":"reset","seed":1152921504606846976',
      '"type":"reset","seed":1e999',
      '"type":"rate","requestsPerSecond":1e308',
      '"type":"rate","requestsPerSecond":"NaN"',
      '"type":"speed","speed":1e300',
      '"type":"speed","speed":1e-320',
      '"type":"killReplica","replica":9007199254740992',
      `"type":"pause","x":${'['.repeat(20_000)}${']'.repeat(20_000)}`,
    ]
    for (const [id, fields] of bad.entries()) {
      socket.send(`{"id":"${id}",${fields}}`)
      expect(await find((message) => message['id'] === String(id)), fields).toMatchObject({ code: 'badMessage' })
    }
    socket.terminate()
  })

  it('as a scenario that is nested without end is refused before it is read', async () => {
    await start()
    for (const scenario of [
      '['.repeat(400_000),
      `a: ${'{b: '.repeat(200)}`,
      `${'- '.repeat(100_000)}x`,
      '? '.repeat(200),
    ]) {
      const response = await fetch(`${server.url}api/runs`, { method: 'POST', body: JSON.stringify({ scenario }) })
      expect(response.status).toBe(400)
      expect((await response.json()).error).toContain('nested at most 100 deep')
    }
  })
})

describe('a store that says nonsense', () => {
  it('gives a sentence, and the server goes on', async () => {
    const store = new SqliteStore(':memory:')
    await start({ store })
    const ids: number[] = []
    for (const scenarioDocument of ['{"name":"chat"}', 'not json', '{"version":1,"model":"llama-3.1-8b"}'])
      ids.push(await store.begin({ ...newRun, scenarioDocument }))
    await store.write(ids[0]!, { log: '{"seed":7,"commands":[{"seconds":-1,"ticks":0.5,"command":{"kind":"fly"}}]}' })
    for (const id of ids) {
      const response = await fetch(`${server.url}api/kept/${id}/reopen`, { method: 'POST', body: '{}' })
      expect(response.status).toBeGreaterThanOrEqual(400)
      expect((await response.json()).error).toMatch(/\w/)
    }
    const compared = await fetch(`${server.url}api/kept/${ids[0]}/compare/${ids[1]}`)
    expect(compared.status).toBe(503)
    expect((await fetch(`${server.url}api/health`)).status).toBe(200)
    await server.close()
    await store.close()
  })
})

describe('coming back', () => {
  it('begins with a hello that holds all so far, and not one frame is lost or told twice after it', async () => {
    await start()
    for (let again = 0; again < 5; again++) {
      const { socket, told, find } = view()
      const hello = await find(({ type }) => type === 'hello')
      await find(({ type, seq }) => type === 'frame' && Number(seq) >= Number(lastOf(hello)['seq']) + 4)
      const seqs = told.filter(({ type }) => type === 'frame').map(({ seq }) => Number(seq))
      expect(seqs.slice(0, 4)).toEqual([1, 2, 3, 4].map((step) => Number(lastOf(hello)['seq']) + step))
      socket.terminate()
    }
  })
})

const lastOf = (hello: Record<string, unknown>): Record<string, unknown> =>
  (hello['history'] as Record<string, unknown>[]).at(-1)!

describe('a thread that dies', () => {
  it('is told to viewers and to those who wait, and the other runs live on', async () => {
    await start()
    let tell: ((news: RunNews) => void) | undefined
    await server.openRun('frail', async (_, say) => {
      tell = say
      const host = await hostFake(1)('frail', say)
      return { ...host, send: () => undefined }
    })
    const { socket, find } = view('?run=frail')
    await find(({ type }) => type === 'hello')
    socket.send('{"type":"pause","id":"waits"}')
    const asked = fetch(`${server.url}api/runs/frail/summary`)
    await new Promise((resolve) => setTimeout(resolve, 50))
    tell?.({ kind: 'broken', message: 'out of memory' })
    expect(await find(({ id }) => id === 'waits')).toMatchObject({ type: 'error', message: /out of memory/ })
    expect(await find(({ code, id }) => code === 'internal' && id === undefined)).toMatchObject({ run: 'frail' })
    expect((await asked).status).toBe(503)
    expect((await fetch(`${server.url}api/runs/demo/summary`)).status).toBe(200)
    socket.terminate()
  })
})
