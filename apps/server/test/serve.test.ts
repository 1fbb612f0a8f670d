import { parseScenarioText } from '@windtunnel/scenario/document/parse'
import { presetText } from '@windtunnel/scenario/presets/index'
import { decodeScenario } from '@windtunnel/scenario/schema/decode'
import { afterEach, describe, expect, it } from 'vitest'
import { connect } from '../../../packages/client/src/client.ts'
import { silent } from '../src/observe/log.ts'
import { serve } from '../src/serve.ts'

const scenario = (name: string) => decodeScenario(parseScenarioText(presetText(name)!, name), [])

let stop = new AbortController()
afterEach(() => stop.abort())

async function start(name: string, speed: number | 'max') {
  stop = new AbortController()
  const lines: string[] = []
  const { promise, resolve } = Promise.withResolvers<string>()
  const say = (line: string): void => {
    lines.push(line)
    const url = /http:\S+/.exec(line)?.[0]
    if (url !== undefined) resolve(url)
  }
  const ended = serve({
    scenario: scenario(name),
    port: 0,
    speed,
    say,
    stop: stop.signal,
    storeAt: undefined,
    log: silent,
  })
  await Promise.race([promise, ended])
  return { url: await promise, ended, lines }
}

describe('serving a preset', () => {
  it('plays the demo in a thread of its own, takes a command, and ends cleanly when it is stopped', async () => {
    const { url, ended } = await start('demo-chat', 50)
    const client = connect({ url })
    for await (const message of client.messages())
      if (message.type === 'frame' && message.requests.completed > 20 && message.step !== undefined) break
    const ack = await client.send({ type: 'addReplica', pool: 'chat' })
    expect(ack.time).toBeGreaterThan(0)
    for await (const message of client.messages()) if (message.type === 'frame' && message.replicas.length === 5) break
    await expect(client.send({ type: 'router', name: 'nonsense' })).rejects.toMatchObject({ code: 'refused' })
    client.close()
    stop.abort()
    await ended
  })

  it('a run and its reset with the same seed end with the same facts', async () => {
    const { url, ended } = await start('shared-prefix-routing', 'max')
    const client = connect({ url })
    const hashes: string[] = []
    for await (const message of client.messages()) {
      const summary = message.type === 'ended' ? message.summary : message.type === 'hello' ? message.ended : undefined
      if (summary === undefined) continue
      hashes.push(summary.factsHash)
      if (hashes.length === 2) break
      await client.send({ type: 'reset' })
      await client.send({ type: 'start' })
    }
    expect(hashes[0]).toMatch(/^[0-9a-f]{16}$/)
    expect(hashes[1]).toBe(hashes[0])
    client.close()
    stop.abort()
    await ended
  })
})
