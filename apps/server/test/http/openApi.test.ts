import { WindtunnelApi } from '@windtunnel/protocol/http/api'
import { Result, Schema } from 'effect'
import * as HttpApi from 'effect/http-api/HttpApi'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type RunningServer, startServer } from '../../src/startServer.ts'
import { SqliteStore } from '../../src/store/sqliteStore.ts'

let server: RunningServer
const store = new SqliteStore(':memory:')
beforeAll(async () => {
  server = await startServer({ port: 0, store })
})
afterAll(async () => {
  await server.close()
  await store.close()
})

interface Address {
  readonly method: string
  readonly path: string
  readonly status: number
  readonly answer: Schema.Top
}

/** In an order in which each finds what it needs: runs are opened first and taken away last. */
function addresses(): Address[] {
  const found: Address[] = []
  HttpApi.reflect(WindtunnelApi, {
    onGroup: () => undefined,
    onEndpoint: ({ endpoint, successes }) => {
      const [status, [answer]] = [...successes][0]!
      found.push({ method: endpoint.method, path: endpoint.path, status, answer })
    },
  })
  return found.sort((a, b) => order(a) - order(b))
}

const order = ({ method, path }: Address): number =>
  method === 'DELETE' ? 3 : path.endsWith('reopen') ? 2 : path === '/api/runs' && method === 'POST' ? 0 : 1

const bodies: Readonly<Record<string, object>> = {
  '/api/runs': { preset: 'demo-chat', speed: 100 },
  '/api/runs/:run/commands': { type: 'rate', id: '1', requestsPerSecond: 3 },
}

const isText = (schema: Schema.Top): boolean => schema.ast._tag === 'String'

it('every documented address answers with the status and the shape that the document says', async () => {
  for (const { method, path, status, answer } of addresses()) {
    const address = path.replace(':run', 'demo-chat').replace(':id', '1').replace(':other', '1')
    const request = bodies[path] ?? {}
    const response = await fetch(`${server.url}${address.slice(1)}`, {
      method,
      ...(method === 'POST' ? { body: JSON.stringify(request) } : {}),
    })
    expect(response.status, `${method} ${path}: ${status >= 400 ? await response.text() : ''}`).toBe(status)
    if (isText(answer)) continue
    const read = Schema.decodeUnknownResult(answer as Schema.Codec<unknown>)(await response.json())
    expect(Result.isSuccess(read) ? 'fits' : `${method} ${path}: ${read.failure.message}`).toBe('fits')
  }
  expect((await (await fetch(`${server.url}api/openapi.json`)).json()).openapi).toBe('3.1.0')
})
