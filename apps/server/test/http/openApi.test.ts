import { ROUTES, type Route } from '@windtunnel/protocol'
import { Result, Schema } from 'effect'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/startServer.ts'
import { RunStore } from '../../src/store/runStore.ts'

let server: RunningServer
const store = new RunStore(':memory:')
beforeAll(async () => {
  server = await startServer({ port: 0, store })
})
afterAll(async () => {
  await server.close()
  store.close()
})

const order = ({ method, path }: Route): number =>
  method === 'POST' ? 0 : method === 'GET' ? 1 : path.startsWith('/api/runs') ? 2 : 3

it('every documented address answers with the status and the shape that the document says', async () => {
  for (const route of [...ROUTES].sort((a, b) => order(a) - order(b))) {
    const { method, path, status, answer, body } = route
    const address = `${server.url}${path.slice(1)}`.replace('{run}', 'demo-chat').replace('{id}', '1')
    const request = body === undefined ? {} : { body: JSON.stringify({ preset: 'demo-chat', speed: 100 }) }
    const response = await fetch(address, { method, ...request })
    expect(response.status, `${method} ${path}`).toBe(status)
    if (answer === undefined) continue
    const read = Schema.decodeUnknownResult(answer as Schema.Codec<unknown>)(await response.json())
    expect(Result.isSuccess(read) ? 'fits' : `${method} ${path}: ${read.failure.message}`).toBe('fits')
  }
  expect((await (await fetch(`${server.url}api/openapi.json`)).json()).openapi).toBe('3.1.0')
})
