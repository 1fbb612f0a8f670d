import { request } from 'node:http'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { limitsOf } from '../src/limits.ts'
import { type RunningServer, startServer } from '../src/startServer.ts'
import { hostFake } from './fakeRun.ts'

let server: RunningServer
afterEach(() => server?.close())

describe('the limits of a server', () => {
  it('come from the environment, and a value that is no number from 1 is an error that names its variable', () => {
    expect(limitsOf({})).toEqual({})
    expect(limitsOf({ WINDTUNNEL_MOST_VIEWERS: '5', WINDTUNNEL_BODY_BYTES: '1000' })).toEqual({
      viewers: 5,
      bodyBytes: 1000,
    })
    for (const text of ['0', '-3', '1e3', 'many']) {
      expect(() => limitsOf({ WINDTUNNEL_MOST_RUNS: text })).toThrow(
        `WINDTUNNEL_MOST_RUNS is a whole number from 1; found "${text}"`,
      )
    }
  })

  it('refuse one viewer too many, one run too many and a message or body too large, each with the reason', async () => {
    server = await startServer({ port: 0, limits: { viewers: 1, runs: 1, messageBytes: 100, bodyBytes: 50 } })
    await server.openRun('demo', hostFake(10))
    await expect(server.openRun('second', hostFake(10))).rejects.toThrow('There are 1 runs already')
    const first = new WebSocket(`ws://127.0.0.1:${server.port}/api/stream`)
    await new Promise((resolve) => first.on('open', resolve))
    const second = new WebSocket(`ws://127.0.0.1:${server.port}/api/stream`)
    const refusal = await new Promise<string>((resolve) =>
      second.on('unexpected-response', (_, response) => {
        let body = ''
        response.on('data', (piece) => {
          body += piece
        })
        response.on('end', () => resolve(`${response.statusCode} ${body}`))
      }),
    )
    expect(refusal).toBe('503 {"error":"1 viewers are the most that this server takes; come back later."}')
    const closed = new Promise((resolve) => first.on('close', resolve))
    first.send('x'.repeat(101))
    expect(await closed).toBe(1009)
    const answer = await fetch(`${server.url}api/runs`, { method: 'POST', body: 'x'.repeat(51) })
    expect(answer.status).toBe(413)
    expect((await answer.json()).error).toContain('at most 50 bytes')
  })

  it('hold for a body that does not say how long it is', async () => {
    server = await startServer({ port: 0, limits: { bodyBytes: 1000 } })
    const status = await new Promise<number | undefined>((resolve) => {
      const post = request(`${server.url}api/runs`, { method: 'POST' }, (response) => {
        response.resume()
        resolve(response.statusCode)
      })
      post.on('error', () => resolve(413))
      for (let piece = 0; piece < 100; piece++) post.write('x'.repeat(100))
      post.end()
    })
    expect(status).toBe(413)
  })
})
