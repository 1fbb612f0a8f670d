import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { connect } from '../../../../packages/client/src/client.ts'
import { noTelemetry, telemetryOf } from '../../src/observe/telemetry.ts'
import { startServer } from '../../src/startServer.ts'
import { hostFake } from '../fakeRun.ts'

/** What an OpenTelemetry collector was sent, by path. */
const received = new Map<string, string[]>()
const collector = createServer((request, response) => {
  let body = ''
  request.on('data', (piece) => {
    body += piece
  })
  request.on('end', () => {
    const path = request.url ?? ''
    received.set(path, [...(received.get(path) ?? []), body])
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
})

beforeAll(() => new Promise<void>((resolve) => collector.listen(0, '127.0.0.1', resolve)))
afterAll(() => collector.close())

describe('OpenTelemetry', () => {
  it('is off unless the environment names an endpoint', async () => {
    expect(await telemetryOf({})).toBe(noTelemetry)
  })

  it('gets spans of requests and commands, metrics and the log, with the run and the viewer', async () => {
    const { port } = collector.address() as AddressInfo
    const telemetry = await telemetryOf({ OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}` })
    const server = await startServer({ port: 0, telemetry })
    await server.openRun('demo', hostFake(10))
    expect((await fetch(`${server.url}api/health`)).status).toBe(200)
    const client = connect({ url: server.url })
    for await (const message of client.messages()) if (message.type === 'hello') break
    await client.send({ type: 'rate', requestsPerSecond: 12 })
    client.close()
    await server.close()
    await telemetry.close()
    const [traces, logs, metrics] = ['traces', 'logs', 'metrics'].map((signal) =>
      received.get(`/v1/${signal}`)?.join(''),
    )
    expect(traces).toContain('"command rate"')
    expect(traces).toContain('windtunnel.run')
    expect(traces).toContain('/api/health')
    expect(traces).toContain('"service.name","value":{"stringValue":"windtunnel"}')
    expect(logs).toContain('server listens')
    expect(logs).toContain('windtunnel.viewer')
    expect(metrics).toContain('windtunnel.server.viewers')
  })
})
