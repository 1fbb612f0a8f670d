import type { Ack, ServerMessage } from '@windtunnel/protocol'
import { Effect, Stream } from 'effect'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { connect } from '../src/client.ts'
import { MessageQueue } from '../src/messageQueue.ts'
import { messageStream } from '../src/messageStream.ts'
import type { Socket } from '../src/socket.ts'
import { streamUrl } from '../src/streamUrl.ts'

class FakeSocket implements Socket {
  readonly url: string
  readonly sent: string[] = []
  readyState = 0
  binaryType = 'blob'
  closed = false
  onopen: Socket['onopen'] = null
  onmessage: Socket['onmessage'] = null
  onclose: Socket['onclose'] = null
  onerror: Socket['onerror'] = null

  constructor(url: string) {
    this.url = url
  }

  send(text: string): void {
    this.sent.push(text)
  }

  close(): void {
    this.closed = true
  }

  open(): void {
    this.onopen?.(undefined as never)
  }

  tell(message: unknown): void {
    this.onmessage?.({ data: JSON.stringify(message) })
  }

  lose(): void {
    this.onclose?.({ code: 1006, reason: '' })
  }
}

let sockets: FakeSocket[] = []
const openSocket = (url: string): Socket => {
  const socket = new FakeSocket(url)
  sockets.push(socket)
  return socket
}
const open = () => connect({ url: 'http://127.0.0.1:4173', openSocket, firstRetrySeconds: 1, longestRetrySeconds: 3 })
const event = (text: string) => ({ type: 'event', run: 'demo', time: 1, kind: 'rate', cause: 'viewer', text })

beforeEach(() => {
  sockets = []
  vi.useFakeTimers()
})
afterEach(() => vi.useRealTimers())

describe('the address of a stream', () => {
  it('follows from the address of the server, with run and token', () => {
    expect(streamUrl({ url: 'http://127.0.0.1:4173' })).toBe('ws://127.0.0.1:4173/api/stream')
    expect(streamUrl({ url: 'https://wind.example/?token=a', run: 'two' })).toBe(
      'wss://wind.example/api/stream?token=a&run=two',
    )
  })
})

describe('a client', () => {
  it('gives each message to the listeners of its type, and ignores what it cannot read', () => {
    const client = open()
    const texts: string[] = []
    const stop = client.on('event', ({ text }) => texts.push(text))
    sockets[0]!.open()
    sockets[0]!.tell(event('one'))
    sockets[0]!.tell({ type: 'fromTheFuture' })
    stop()
    sockets[0]!.tell(event('two'))
    expect(texts).toEqual(['one'])
    client.close()
  })

  it('resolves a command with its ack and rejects it with the reason of the refusal', async () => {
    const client = open()
    sockets[0]!.open()
    const good = client.send({ type: 'rate', requestsPerSecond: 5 })
    const bad = client.send({ type: 'router', name: 'x' })
    const [first, second] = sockets[0]!.sent.map((text) => JSON.parse(text))
    sockets[0]!.tell({ type: 'error', id: second.id, code: 'refused', message: 'no router x' })
    sockets[0]!.tell({ type: 'ack', id: first.id, run: 'demo', time: 2 })
    expect(((await good) as Ack).time).toBe(2)
    await expect(bad).rejects.toMatchObject({ _tag: 'CommandRefused', code: 'refused', message: 'no router x' })
    client.close()
  })

  it('connects again after a loss, later each time, to the run it watched, and fails what was not answered', async () => {
    const client = open()
    const statuses: string[] = []
    client.onStatus((status) => statuses.push(status))
    sockets[0]!.open()
    const lost = client.send({ type: 'pause' })
    sockets[0]!.lose()
    await expect(lost).rejects.toMatchObject({ _tag: 'ConnectionLost' })
    await expect(client.send({ type: 'pause' })).rejects.toMatchObject({ _tag: 'ConnectionLost' })
    vi.advanceTimersByTime(1000)
    expect(sockets).toHaveLength(2)
    sockets[1]!.lose()
    vi.advanceTimersByTime(1999)
    expect(sockets).toHaveLength(2)
    vi.advanceTimersByTime(1)
    expect(sockets).toHaveLength(3)
    sockets[2]!.open()
    expect(statuses).toEqual(['open', 'waiting', 'connecting', 'waiting', 'connecting', 'open'])
    client.close()
    expect(sockets[2]!.closed).toBe(true)
    vi.advanceTimersByTime(60_000)
    expect(sockets).toHaveLength(3)
  })

  it('iterates over messages across a reconnection and ends when it is closed', async () => {
    const client = open()
    const texts: string[] = []
    const loop = (async () => {
      for await (const message of client.messages()) if (message.type === 'event') texts.push(message.text)
    })()
    sockets[0]!.open()
    sockets[0]!.tell(event('one'))
    sockets[0]!.lose()
    vi.advanceTimersByTime(1000)
    sockets[1]!.open()
    sockets[1]!.tell(event('two'))
    client.close()
    await loop
    expect(texts).toEqual(['one', 'two'])
  })

  it('is an Effect stream that closes its connection when enough was taken', async () => {
    vi.useRealTimers()
    const taken = Effect.runPromise(
      messageStream({ url: 'http://127.0.0.1:4173', openSocket }).pipe(
        Stream.filter((message) => message.type === 'event'),
        Stream.take(2),
        Stream.runCollect,
      ),
    )
    await vi.waitFor(() => expect(sockets).toHaveLength(1))
    sockets[0]!.open()
    for (const text of ['one', 'two', 'three']) sockets[0]!.tell(event(text))
    expect(Array.from(await taken, (message) => message.type === 'event' && message.text)).toEqual(['one', 'two'])
    expect(sockets[0]!.closed).toBe(true)
  })

  it('loses frames before a slow consumer, never the events nor what came last', async () => {
    vi.useRealTimers()
    let release: (() => void) | undefined
    const gate = new Promise<void>((resolve) => {
      release = resolve
    })
    const seen: string[] = []
    const running = Effect.runPromise(
      messageStream({ url: 'http://127.0.0.1:4173', openSocket }).pipe(
        Stream.filter((message) => message.type === 'event'),
        Stream.tap((message) => Effect.promise(() => gate.then(() => void seen.push(message.text)))),
        Stream.takeUntil((message) => message.text === 'last'),
        Stream.runDrain,
      ),
    )
    await vi.waitFor(() => expect(sockets).toHaveLength(1))
    sockets[0]!.open()
    sockets[0]!.tell(event('first'))
    sockets[0]!.tell(event('second'))
    const sample = { type: 'requestSample', run: 'demo', arrival: 0, queue: 0, prefill: 0, transfer: 0, decode: 0 }
    const tokens = { inputTokens: 1, cachedTokens: 0, outputTokens: 1, preemptions: 0 }
    for (let request = 0; request < 2000; request++)
      sockets[0]!.tell({ ...sample, ...tokens, request, serviceClass: 'chat', ending: 'completed' })
    sockets[0]!.tell(event('last'))
    release?.()
    await running
    expect(seen).toEqual(['first', 'second', 'last'])
  })
})

describe('the queue before a slow consumer', () => {
  it('holds a bounded number of messages, loses frames and keeps the rest', async () => {
    const queue = new MessageQueue(() => {})
    queue.put(event('kept') as ServerMessage)
    for (let seq = 0; seq < 5000; seq++) queue.put({ type: 'frame', seq } as ServerMessage)
    queue.put(event('kept too') as ServerMessage)
    queue.close()
    const all: ServerMessage[] = []
    for await (const message of queue) all.push(message)
    expect(all).toHaveLength(512)
    expect(all[0]).toMatchObject({ text: 'kept' })
    expect(all.at(-1)).toMatchObject({ text: 'kept too' })
    expect(all.at(-2)).toMatchObject({ seq: 4999 })
  })
})
