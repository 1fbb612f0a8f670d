import { afterEach, describe, expect, it } from 'vitest'
import { connect, type WindtunnelClient } from '../../../packages/client/src/client.ts'
import { type RunningServer, startServer } from '../src/startServer.ts'
import { hostFake } from './fakeRun.ts'

let server: RunningServer
let client: WindtunnelClient
afterEach(async () => {
  client.close()
  await server.close()
})

describe('the client with a real server', () => {
  it('steers a run and sees the effect; after the server comes back it goes on by itself', async () => {
    server = await startServer({ port: 0 })
    await server.openRun('demo', hostFake(10))
    client = connect({ url: server.url, firstRetrySeconds: 0.02 })
    let hellos = 0
    client.on('hello', () => {
      hellos += 1
    })
    for await (const message of client.messages()) if (message.type === 'frame') break
    expect(await client.send({ type: 'rate', requestsPerSecond: 31 })).toMatchObject({ type: 'ack' })
    for await (const message of client.messages()) if (message.type === 'frame' && message.rate === 31) break
    const { port } = server
    await server.close()
    server = await startServer({ port })
    await server.openRun('demo', hostFake(1))
    for await (const message of client.messages()) if (message.type === 'frame' && message.rate === 20) break
    expect(hellos).toBeGreaterThanOrEqual(2)
  })
})
