import { createServer } from 'node:net'
import { readServerMessage, type ServerMessage } from '@windtunnel/protocol'
import { Result } from 'effect'
import { afterEach, describe, expect, it } from 'vitest'
import { WebSocket } from 'ws'
import { type RunningServer, startServer } from '../src/startServer.ts'
import { hostFake } from './fakeRun.ts'

let server: RunningServer | undefined
afterEach(async () => {
  await server?.close()
  server = undefined
})

async function open(): Promise<RunningServer> {
  server = await startServer({ port: 0 })
  await server.openRun('demo', hostFake(10))
  return server
}

/** A WebSocket that remembers what it was told. */
class Listener {
  readonly heard: ServerMessage[] = []
  readonly socket: WebSocket
  #wanted: { wants: (message: ServerMessage) => boolean; found: (message: ServerMessage) => void }[] = []

  constructor(port: number, path = '/api/stream', options = {}) {
    this.socket = new WebSocket(`ws://127.0.0.1:${port}${path}`, options)
    this.socket.on('message', (text) => {
      const message = Result.getOrThrow(readServerMessage(text.toString()))
      this.heard.push(message)
      for (const { wants, found } of this.#wanted) if (wants(message)) found(message)
    })
  }

  next<T extends ServerMessage['type']>(
    type: T,
    wants: (message: Extract<ServerMessage, { type: T }>) => boolean = () => true,
  ) {
    type Wanted = Extract<ServerMessage, { type: T }>
    const fits = (message: ServerMessage): boolean => message.type === type && wants(message as Wanted)
    const earlier = this.heard.find(fits)
    if (earlier !== undefined) return Promise.resolve(earlier as Wanted)
    return new Promise<Wanted>((resolve) => this.#wanted.push({ wants: fits, found: (m) => resolve(m as Wanted) }))
  }

  closed(): Promise<number> {
    return new Promise((resolve) => this.socket.on('close', (code) => resolve(code)))
  }
}

describe('the server', () => {
  it('greets a viewer with the scenario and the present, then sends frames in order', async () => {
    const { port } = await open()
    const viewer = new Listener(port)
    const hello = await viewer.next('hello')
    expect(hello).toMatchObject({ protocol: 1, run: 'demo', scenario: { name: 'fake' } })
    expect(hello.history.length).toBeGreaterThan(0)
    await viewer.next('frame', (frame) => frame.seq > 4)
    const seqs = viewer.heard.flatMap((message) => (message.type === 'frame' ? [message.seq] : []))
    expect(seqs).toEqual([...seqs].sort((a, b) => a - b))
    viewer.socket.terminate()
  })

  it('answers commands to the one who asked, and shows their effect to all', async () => {
    const { port } = await open()
    const [one, other] = [new Listener(port), new Listener(port)]
    await Promise.all([one.next('hello'), other.next('hello')])
    one.socket.send(JSON.stringify({ type: 'rate', id: 'r1', requestsPerSecond: 44 }))
    expect(await one.next('ack')).toMatchObject({ id: 'r1', run: 'demo' })
    expect(await other.next('event', (event) => event.kind === 'rate')).toMatchObject({
      text: 'rate 20 to 44 requests/s',
    })
    expect(await other.next('frame', (frame) => frame.rate === 44)).toBeDefined()
    expect(other.heard.some((message) => message.type === 'ack')).toBe(false)
    one.socket.terminate()
    other.socket.terminate()
  })

  it('answers nonsense with an error and lives on', async () => {
    const { port } = await open()
    const viewer = new Listener(port)
    await viewer.next('hello')
    viewer.socket.send('{"type":')
    expect(await viewer.next('error')).toMatchObject({ code: 'badMessage' })
    viewer.socket.send(Buffer.from([1, 2, 3]))
    viewer.socket.send(JSON.stringify({ type: 'rate', id: 'x', requestsPerSecond: -1 }))
    expect(await viewer.next('error', (error) => error.id === 'x')).toMatchObject({ code: 'badMessage' })
    viewer.socket.send(JSON.stringify({ type: 'pause', id: 'y', run: 'no such' }))
    expect(await viewer.next('error', (error) => error.id === 'y')).toMatchObject({ code: 'unknownRun' })
    viewer.socket.send(JSON.stringify({ type: 'pause', id: 'z' }))
    expect(await viewer.next('ack')).toMatchObject({ id: 'z' })
    viewer.socket.terminate()
  })

  it('closes a connection that sends too long a message, and refuses a page from elsewhere', async () => {
    const { port } = await open()
    const viewer = new Listener(port)
    await viewer.next('hello')
    const closed = viewer.closed()
    viewer.socket.send('x'.repeat(100_000))
    expect(await closed).toBe(1009)
    const stranger = new WebSocket(`ws://127.0.0.1:${port}/api/stream`, { origin: 'https://evil.example' })
    const fault = await new Promise<Error>((resolve) => stranger.on('error', resolve))
    expect(fault.message).toContain('403')
  })

  it('sends a fresh hello to every viewer after a reset', async () => {
    const { port } = await open()
    const viewer = new Listener(port)
    await viewer.next('hello')
    viewer.socket.send(JSON.stringify({ type: 'reset', id: 'a', seed: 9 }))
    expect(await viewer.next('hello', (hello) => hello.scenario.seed === 9)).toMatchObject({ run: 'demo' })
    viewer.socket.terminate()
  })

  it('tells the same over HTTP', async () => {
    const { url } = await open()
    const get = async (path: string) => (await fetch(`${url}${path}`)).json()
    expect(await get('api/health')).toMatchObject({ ok: true, runs: 1 })
    expect(await get('api/runs')).toMatchObject([{ run: 'demo', scenario: 'fake' }])
    expect(await get('api/runs/demo')).toMatchObject({ scenario: { seed: 42 }, frame: { run: 'demo' } })
    expect(await get('api/runs/demo/summary')).toMatchObject({ version: 1, scenario: 'fake', seed: 42 })
    expect(await get('api/runs/demo/log')).toEqual({ seed: 42, commands: [] })
    expect((await fetch(`${url}api/runs/nobody`)).status).toBe(404)
    expect((await fetch(url)).headers.get('content-type')).toContain('text/html')
  })

  it('shows the fleet to Prometheus under the names of vLLM, and itself under its own', async () => {
    const { url } = await open()
    const response = await fetch(`${url}metrics`)
    expect(response.headers.get('content-type')).toContain('text/plain')
    const page = await response.text()
    expect(page).toContain('vllm:num_requests_running{model_name="none",engine="1"} 0')
    expect(page).toContain('vllm:time_to_first_token_seconds_bucket')
    expect(page).toMatch(/windtunnel_server_viewers \d/)
    expect(await (await fetch(`${url}api/runs/demo/metrics`)).text()).toContain(
      '# TYPE vllm:e2e_request_latency_seconds',
    )
  })

  it('takes another port when the one asked for is in use', async () => {
    const squatter = createServer()
    await new Promise<void>((resolve) => squatter.listen(0, '127.0.0.1', resolve))
    const address = squatter.address()
    const taken = typeof address === 'object' && address !== null ? address.port : 0
    server = await startServer({ port: taken })
    expect(server.port).not.toBe(taken)
    squatter.close()
  })

  it('on an address other than loopback it makes itself a token and asks for it', async () => {
    server = await startServer({ host: '0.0.0.0', port: 0 })
    expect(server.token).toBeDefined()
    const base = `http://127.0.0.1:${server.port}`
    expect((await fetch(`${base}/api/runs`)).status).toBe(401)
    expect((await fetch(`${base}/api/runs?token=${server.token}`)).status).toBe(200)
  })
})

describe('an address that cannot be used', () => {
  it('is an error that says why, and opens nothing', async () => {
    await expect(startServer({ port: 99_999 })).rejects.toThrow('found 99999')
    await expect(startServer({ host: '203.0.113.7', port: 0 })).rejects.toThrow('Cannot listen on 203.0.113.7')
  })
})
