import { readServerBinary } from '@windtunnel/protocol/wireBinary'
import { Result } from 'effect'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { connect } from '../../../../packages/client/src/client.ts'
import { type RunningServer, startServer } from '../../src/startServer.ts'
import { hostFake } from '../fakeRun.ts'

let server: RunningServer
beforeAll(async () => {
  server = await startServer({ port: 0 })
  await server.openRun('demo', hostFake(10))
})
afterAll(() => server.close())

it('a viewer that asks for the binary form gets the same frames as one that reads text, in fewer bytes', async () => {
  const address = `ws://127.0.0.1:${server.port}/api/stream`
  const text = new WebSocket(address)
  const binary = new WebSocket(`${address}?encoding=binary`)
  const texts = new Map<number, string>()
  let compared = 0
  let [textBytes, binaryBytes] = [0, 0]
  text.on('message', (message) => {
    const { type, seq } = JSON.parse(message.toString())
    if (type === 'frame') texts.set(seq, message.toString())
  })
  await new Promise<void>((resolve) => {
    binary.on('message', (message: Buffer, isBinary) => {
      expect(isBinary).toBe(true)
      const read = Result.getOrThrow(readServerBinary(message))
      const twin = read.type === 'frame' ? texts.get(read.seq) : undefined
      if (twin === undefined) return
      expect(read).toEqual(JSON.parse(twin))
      textBytes += twin.length
      binaryBytes += message.length
      compared += 1
      if (compared === 5) resolve()
    })
  })
  expect(binaryBytes).toBeLessThan(0.8 * textBytes)
  text.terminate()
  binary.terminate()
})

it('the client reads it, in order, and steers as ever', async () => {
  const client = connect({ url: server.url, encoding: 'binary' })
  const seqs: number[] = []
  for await (const message of client.messages()) {
    if (message.type === 'frame') seqs.push(message.seq)
    if (seqs.length === 5) break
  }
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
  expect(await client.send({ type: 'rate', requestsPerSecond: 12 })).toMatchObject({ type: 'ack' })
  client.close()
})

it('another form is refused before the connection is made', async () => {
  const socket = new WebSocket(`ws://127.0.0.1:${server.port}/api/stream?encoding=xml`)
  const fault = await new Promise<Error>((resolve) => socket.on('error', resolve))
  expect(fault.message).toContain('400')
})
