import { connect as connectTcp } from 'node:net'
import { COMMANDS } from '@windtunnel/protocol'
import fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type RunningServer, startServer } from '../src/startServer.ts'
import { hostFake } from './fakeRun.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ port: 0 })
  await server.openRun('demo', hostFake(10))
})
afterAll(() => server.close())

const types = fc.constantFrom(...Object.keys(COMMANDS), 'nonsense')
const wild = fc.oneof(
  fc.double(),
  fc.string(),
  fc.boolean(),
  fc.constant(null),
  fc.array(fc.integer(), { maxLength: 3 }),
)
const message = fc.oneof(
  fc.string({ maxLength: 200 }),
  fc.json(),
  fc.uint8Array({ maxLength: 300 }),
  fc
    .record(
      {
        type: types,
        id: fc.oneof(fc.string({ maxLength: 80 }), wild),
        run: fc.oneof(fc.constant('demo'), wild),
        requestsPerSecond: fc.oneof(fc.double({ min: -10, max: 50, noNaN: true }), wild),
        replica: fc.oneof(fc.integer({ min: -1, max: 3 }), wild),
        name: fc.oneof(fc.constant('roundRobin'), wild),
        pool: fc.oneof(fc.constant('main'), wild),
        speed: fc.oneof(fc.constant('max'), fc.double({ min: 0.1, max: 100, noNaN: true }), wild),
        seed: fc.oneof(fc.integer(), wild),
        events: fc.oneof(fc.integer({ min: -1, max: 10 }), wild),
      },
      { requiredKeys: [] },
    )
    .map((value) => JSON.stringify(value)),
)

const opened = (socket: WebSocket) => new Promise((resolve) => socket.on('open', resolve))

/** The server answers as it should: a viewer gets a hello and an ack. */
async function expectAlive(): Promise<void> {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/stream`)
  const acked = new Promise<string>((resolve) => {
    socket.on('message', (text) => {
      if (text.toString().startsWith('{"type":"ack"')) resolve(text.toString())
    })
  })
  await opened(socket)
  socket.send('{"type":"watch","id":"alive"}')
  expect(JSON.parse(await acked)).toMatchObject({ id: 'alive' })
  socket.terminate()
}

const path = fc
  .array(
    fc.oneof(fc.constantFrom('api', 'runs', 'kept', 'nobody', '1', 'compare', 'reopen', '..', '%00', '%'), fc.string()),
    {
      maxLength: 5,
    },
  )
  .map((parts) => parts.map((part) => part.replaceAll(/[\s#?/]/gu, '')).join('/'))

describe('a server under nonsense', () => {
  it('answers whatever body is posted with a status of 4xx and a sentence', async () => {
    const addresses = ['api/runs', 'api/kept/1/reopen', 'api/kept/x/reopen']
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...addresses), message, async (address, body) => {
        const sent = typeof body === 'string' ? body : new Uint8Array(body)
        const response = await fetch(`${server.url}${address}`, { method: 'POST', body: sent })
        expect(response.status).toBeGreaterThanOrEqual(400)
        expect(response.status).toBeLessThan(500)
        expect((await response.json()).error).toMatch(/./)
      }),
      { numRuns: 60 },
    )
    await expectAlive()
  })

  it('never fails inside for whatever address and method', async () => {
    const method = fc.constantFrom('GET', 'POST', 'DELETE', 'PUT', 'OPTIONS')
    await fc.assert(
      fc.asyncProperty(method, path, async (how, where) => {
        const response = await fetch(`${server.url}api/${encodeURI(where)}`, { method: how })
        await response.arrayBuffer()
        expect(response.status, `${how} ${where}`).toBeLessThan(500)
      }),
      { numRuns: 100 },
    )
    await expectAlive()
  })

  it('lives on whatever a viewer says, in whatever order', async () => {
    const conversation = fc.array(message, { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(conversation, async (said) => {
        const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/stream`)
        await opened(socket)
        for (const one of said) socket.send(one)
        await new Promise((resolve) => setTimeout(resolve, 2))
        socket.terminate()
      }),
      { numRuns: 60 },
    )
    await expectAlive()
  })

  it('answers thousands of commands at once with acks and "tooMany", each once, and lives on', async () => {
    const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/stream`)
    await opened(socket)
    let answers = 0
    const all = new Promise<void>((resolve) => {
      socket.on('message', (text) => {
        const { type } = JSON.parse(text.toString())
        if (type === 'ack' || type === 'error') answers += 1
        if (answers === 3000) resolve()
      })
    })
    for (let id = 0; id < 3000; id++) socket.send(JSON.stringify({ type: 'speed', id: String(id), speed: 10 }))
    await all
    socket.terminate()
    await expectAlive()
  })

  it('lives on after half-open sockets, broken handshakes and broken frames', async () => {
    const handshake = `GET /api/stream HTTP/1.1\r\nHost: 127.0.0.1\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Key: ${'A'.repeat(22)}==\r\nSec-WebSocket-Version: 13\r\n\r\n`
    const said: (string | Buffer)[] = [
      'GET',
      'GARBAGE\r\n\r\n',
      handshake.replace('Version: 13', 'Version: 99'),
      handshake.replace('/api/stream', '/elsewhere'),
      Buffer.concat([Buffer.from(handshake), Buffer.from([0xff, 0xff, 0xff, 0xff])]),
      Buffer.concat([
        Buffer.from(handshake),
        Buffer.from([0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff]),
      ]),
    ]
    for (const bytes of said) {
      const socket = connectTcp(server.port, '127.0.0.1')
      socket.on('error', () => undefined)
      socket.write(bytes)
      await new Promise((resolve) => setTimeout(resolve, 20))
      socket.destroy()
    }
    await expectAlive()
  })
})
