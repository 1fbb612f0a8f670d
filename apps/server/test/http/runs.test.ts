import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { type RunningServer, startServer } from '../../src/startServer.ts'
import type { RunStore } from '../../src/store/runStore.ts'
import { SqliteStore } from '../../src/store/sqliteStore.ts'

let server: RunningServer
let store: RunStore
beforeEach(async () => {
  store = new SqliteStore(':memory:')
  server = await startServer({ port: 0, store, limits: { runs: 2 } })
})
afterEach(async () => {
  await server.close()
  await store.close()
})

const call = async (method: string, path: string, body?: string) => {
  const response = await fetch(`${server.url}${path}`, { method, ...(body === undefined ? {} : { body }) })
  return { status: response.status, value: await response.json() }
}
const open = (request: unknown) => call('POST', 'api/runs', JSON.stringify(request))

describe('runs over HTTP', () => {
  it('opens several, each under a name of its own, shows them, and takes them away', async () => {
    expect(await open({ preset: 'demo-chat', speed: 'max' })).toEqual({ status: 201, value: { run: 'demo-chat' } })
    expect(await open({ preset: 'demo-chat', seed: 9, start: false })).toEqual({
      status: 201,
      value: { run: 'demo-chat-2' },
    })
    expect((await call('GET', 'api/runs')).value).toHaveLength(2)
    expect((await call('GET', 'api/runs/demo-chat-2')).value).toMatchObject({ scenario: { seed: 9 } })
    expect(await open({ preset: 'demo-chat' })).toMatchObject({ status: 400, value: { error: /2 runs already/ } })
    expect(await call('DELETE', 'api/runs/demo-chat-2')).toEqual({ status: 200, value: { deleted: true } })
    expect((await call('GET', 'api/runs/demo-chat-2')).status).toBe(404)
  })

  it('keeps a run with its scenario, seed, commands, frames and summary', async () => {
    await open({ preset: 'shared-prefix-routing', speed: 'max', seed: 5 })
    await vi.waitFor(async () => expect((await call('GET', 'api/kept')).value[0].endedAt).toBeDefined(), 10_000)
    const [{ id }] = (await call('GET', 'api/kept')).value
    const { value } = await call('GET', `api/kept/${id}`)
    expect(value).toMatchObject({
      kept: { run: 'shared-prefix-routing', seed: 5 },
      scenario: { name: 'shared-prefix-routing' },
      log: { seed: 5 },
      summary: { version: 1, seed: 5 },
    })
    expect((await call('GET', `api/kept/${id}/frames`)).value.length).toBeGreaterThan(0)
    expect((await call('DELETE', `api/kept/${id}`)).value).toEqual({ deleted: true })
    expect((await call('GET', `api/kept/${id}`)).status).toBe(404)
  })

  it('does what a command says, and refuses what the run, or the address, refuses', async () => {
    await open({ preset: 'demo-chat', name: 'steered' })
    const say = (command: unknown) => call('POST', 'api/runs/steered/commands', JSON.stringify(command))
    expect(await say({ type: 'rate', id: 'a', requestsPerSecond: 3 })).toMatchObject({
      status: 200,
      value: { type: 'ack', id: 'a', run: 'steered' },
    })
    expect(await say({ type: 'step', id: 'b' })).toMatchObject({ status: 409, value: { error: /paused/ } })
    expect(await say({ type: 'killReplica', id: 'c', replica: 99 })).toMatchObject({ status: 409 })
    expect(await say({ type: 'rate', id: 'd' })).toMatchObject({ status: 400, value: { error: /requestsPerSecond/ } })
    expect(await say({ type: 'watch', id: 'e' })).toMatchObject({ status: 400 })
    expect(await say({ type: 'pause', id: 'f', run: 'other' })).toMatchObject({ status: 400 })
    expect((await call('GET', 'api/runs/steered/log')).value.commands).toMatchObject([{ command: { kind: 'rate' } }])
    expect((await call('POST', 'api/runs/nobody/commands', '{}')).status).toBe(404)
    // One sentence, whatever there is to say.
    const refused = await say({ id: 7, type: 'rate', requestsPerSecond: 'x' })
    expect(refused.status).toBe(400)
    expect(refused.value.error).toMatch(/^[^\n]*"id"[^\n]*$/)
  })

  it('takes options laid over the scenario, and gives the figures of the measured window with their details', async () => {
    const overrides = ['run.durationSeconds=60', 'run.warmUpSeconds=20', 'fleet[0].replicas=3']
    await open({ preset: 'demo-chat', name: 'measured', speed: 'max', overrides })
    await vi.waitFor(async () => expect((await call('GET', 'api/runs')).value[0].state).toBe('ended'), 10_000)
    const { value } = await call('GET', 'api/runs/measured/summary')
    expect(value.details.window).toMatchObject({ fromSeconds: 20, untilSeconds: 60 })
    expect(value.details.perAccelerator.accelerators).toBe(3)
    expect(value.details.window.arrived).toBeLessThan(value.requests.arrived)
    const { e2e, requests } = value
    expect(e2e.count).toBeLessThanOrEqual(value.details.window.arrived)
    expect(e2e.count).toBeLessThan(requests.completed)
  })

  it.each([
    ['no JSON', '{"preset":', /JSON|position/],
    ['an unknown field', '{"preset":"demo-chat","sped":1}', /sped/],
    ['neither scenario nor preset', '{}', /either "scenario"/],
    ['an unknown preset', '{"preset":"demo"}', /no preset "demo"/],
    ['a scenario with a fault', '{"scenario":"version: 1\\nmodl: x"}', /modl/],
    [
      'a file of the server',
      JSON.stringify({
        scenario:
          'version: 1\nmodel: llama-3.1-8b\nfleet: [{hardware: h100}]\ntraffic: {trace: {file: /etc/passwd, format: azure}}',
      }),
      /files of the server|trace/,
    ],
    [
      'a parameter file of the server',
      JSON.stringify({ preset: 'demo-chat', overrides: ['cost.parameters=/etc/passwd'] }),
      /files of the server; found cost.parameters/,
    ],
    [
      'a configuration of the server',
      JSON.stringify({ preset: 'demo-chat', overrides: ['model={"config":"../../etc/passwd"}'] }),
      /files of the server; found model.config/,
    ],
    ['an option that is none', '{"preset":"demo-chat","overrides":["replicas"]}', /overrides: .*PATH=VALUE/],
    ['too large a body', 'x'.repeat(2_000_000), /./],
  ])('refuses %s with the reason', async (_, body, reason) => {
    const { status, value } = await call('POST', 'api/runs', body)
    expect(status).toBe(body.length > 1_048_576 ? 413 : 400)
    expect(value.error).toMatch(reason)
    expect((await call('GET', 'api/runs')).value).toEqual([])
  })
})
