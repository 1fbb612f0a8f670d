import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { connect } from '../../../../packages/client/src/client.ts'
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

const call = async (method: string, path: string, body?: unknown) => {
  const init = { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) }
  const response = await fetch(`${server.url}${path}`, init)
  const text = await response.text()
  return {
    status: response.status,
    text,
    value: text.startsWith('{') || text.startsWith('[') ? JSON.parse(text) : undefined,
  }
}

const SCENARIO = JSON.stringify({
  version: 1,
  name: 'short',
  seed: 3,
  model: 'llama-3.1-8b',
  fleet: [{ name: 'main', hardware: 'h100', replicas: 2 }],
  traffic: {
    arrivals: { name: 'poisson', requestsPerSecond: 4 },
    structure: { name: 'single', input: { name: 'fixed', tokens: 500 }, output: { name: 'fixed', tokens: 50 } },
  },
  run: { durationSeconds: 120 },
})

/** Waits until the store has the end of run `id`. */
const ended = (id: number) =>
  vi.waitFor(async () => {
    const { value } = await call('GET', `api/kept/${id}`)
    expect(value.summary).not.toBeNull()
    return value
  }, 15_000)

/** Plays the short scenario with two commands on the way; the id under which it is kept. */
async function steered(name: string): Promise<number> {
  expect(await call('POST', 'api/runs', { scenario: SCENARIO, name, speed: 40 })).toMatchObject({ status: 201 })
  const client = connect({ url: server.url, run: name })
  for await (const message of client.messages()) if (message.type === 'frame' && message.time > 5) break
  await client.send({ type: 'rate', requestsPerSecond: 9 })
  await client.send({ type: 'mix', promptScale: 2, outputScale: 0.5 })
  await client.send({ type: 'killReplica', replica: 0 })
  await client.send({ type: 'speed', speed: 'max' })
  for await (const message of client.messages()) if (message.type === 'ended') break
  client.close()
  return (await call('GET', 'api/kept')).value.find((kept: { run: string }) => kept.run === name).id
}

describe('a kept run', () => {
  it('opened again plays its commands at their times and comes to the same facts, and is kept in turn', async () => {
    const id = await steered('first')
    const { summary, log } = await ended(id)
    expect(log.commands.map(({ command }: { command: { kind: string } }) => command.kind)).toEqual([
      'rate',
      'mix',
      'killReplica',
    ])
    const again = await call('POST', `api/kept/${id}/reopen`, { name: 'again', speed: 'max' })
    expect(again).toMatchObject({ status: 201, value: { run: 'again' } })
    const second = (await call('GET', 'api/kept')).value[0].id
    const copy = await ended(second)
    expect(copy.summary.factsHash).toBe(summary.factsHash)
    expect(copy.log).toEqual(log)
    const { value: events } = await call('GET', `api/kept/${second}/events`)
    const replayed = events.filter((event: { cause: string }) => event.cause === 'log')
    expect(replayed.map((event: { kind: string }) => event.kind)).toEqual(['rate', 'mix', 'replicaKilled'])
    expect((await call('GET', `api/kept/${id}/compare/${second}`)).value).toMatchObject({
      sameFacts: true,
      settings: [],
    })
  })

  it('opened again goes another way when a viewer steers: the commands that were to come are left', async () => {
    const { value: list } = await call('GET', 'api/kept')
    const { id } = list.find((kept: { run: string }) => kept.run === 'first')
    await call('POST', `api/kept/${id}/reopen`, { name: 'other', start: false })
    const client = connect({ url: server.url, run: 'other' })
    for await (const message of client.messages()) if (message.type === 'hello') break
    await client.send({ type: 'rate', requestsPerSecond: 2 })
    await client.send({ type: 'speed', speed: 'max' })
    await client.send({ type: 'start' })
    for await (const message of client.messages()) if (message.type === 'ended') break
    client.close()
    const other = (await call('GET', 'api/kept')).value[0].id
    const { log } = await ended(other)
    expect(log.commands).toHaveLength(1)
    const { value } = await call('GET', `api/kept/${id}/compare/${other}`)
    expect(value.sameFacts).toBe(false)
    const arrived = value.figures.find(({ figure }: { figure: string }) => figure === 'arrived')
    expect(arrived.second).toBeLessThan(arrived.first)
    expect(arrived.difference).toBe(arrived.second - arrived.first)
  })

  it('is exported as one document, and its series as CSV with a column for every figure', async () => {
    const { value: list } = await call('GET', 'api/kept')
    const { id } = list.find((kept: { run: string }) => kept.run === 'first')
    const { value } = await call('GET', `api/kept/${id}/export`)
    expect(Object.keys(value)).toEqual(['kept', 'scenario', 'log', 'summary', 'events', 'frames'])
    expect(value.frames.length).toBeGreaterThan(0)
    const { text } = await call('GET', `api/kept/${id}/series.csv`)
    const [head, ...lines] = text.trimEnd().split('\n')
    expect(head).toMatch(/^time_s,wall_s,state,arrived,completed/)
    expect(lines).toHaveLength(value.frames.length)
    for (const line of lines) expect(line.split(',')).toHaveLength(head!.split(',').length)
    expect(Number(lines.at(-1)!.split(',')[0])).toBe(value.frames.at(-1).time)
  })

  it('that was stopped on its way is kept with the figures so far', async () => {
    await call('POST', 'api/runs', { scenario: SCENARIO, name: 'stopped', speed: 20 })
    await vi.waitFor(
      async () => expect((await call('GET', 'api/runs/stopped')).value.run.time).toBeGreaterThan(2),
      10_000,
    )
    expect((await call('DELETE', 'api/runs/stopped')).value).toEqual({ deleted: true })
    const [{ id }] = (await call('GET', 'api/kept')).value
    const { kept, summary } = (await call('GET', `api/kept/${id}`)).value
    expect(kept.endedAt).toBeDefined()
    expect(summary.simulatedSeconds).toBeGreaterThan(2)
    expect(summary.simulatedSeconds).toBeLessThan(120)
  })

  it.each([
    ['GET', 'api/kept/999', 404, /no kept run 999/],
    ['GET', 'api/kept/x1/frames', 404, /no kept run x1/],
    ['GET', 'api/kept/2/compare/1e3', 404, /no kept run 1e3/],
    ['POST', 'api/kept/999/reopen', 404, /no kept run 999/],
    ['DELETE', 'api/kept/-1', 404, /no kept run -1/],
    ['PATCH', 'api/kept/1', 404, /No such address/],
  ])('%s %s is refused with %i and a sentence', async (method, path, status, reason) => {
    const answer = await call(method, path, method === 'POST' ? {} : undefined)
    expect(answer.status).toBe(status)
    expect(answer.value.error).toMatch(reason)
  })

  it('is not opened again by a request with a fault', async () => {
    const answer = await call('POST', 'api/kept/1/reopen', { spede: 3 })
    expect(answer).toMatchObject({ status: 400, value: { error: /spede/ } })
  })
})
