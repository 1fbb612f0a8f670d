import type { RunSummary } from '@windtunnel/protocol'
import { presetText } from '@windtunnel/scenario/presets/index'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import { startServer } from '@windtunnel/server'
import { SqliteStore } from '@windtunnel/server/store/sqliteStore'
import type { RunChannel } from '@windtunnel/server/stream/runChannel'
import type { ServerOrders, ServerReport } from './orders.ts'

/** The server under load, in a process of its own: opens the runs, and reports memory and speed every second. */
const { runs, speed, durationSeconds } = JSON.parse(process.argv[2] ?? '{}') as ServerOrders
const store = new SqliteStore(':memory:')
const server = await startServer({ port: 0, store, limits: { runs, viewers: 10_000 } })
const text = presetText('demo-chat') ?? ''

for (let index = 0; index < runs; index++) {
  const scenario = readScenario(text)
  const run = { ...scenario.run, durationSeconds }
  const recipe = { run: `run-${index}`, scenario: { ...scenario, run }, folder: '.', seed: index + 1, speed }
  await server.openScenario({ ...recipe, autostart: true })
}

async function workOf(channel: RunChannel): Promise<ServerReport['work'][number]> {
  const summary = JSON.parse(await channel.ask({ kind: 'question', about: 'summary' })) as RunSummary
  return { simulatedSeconds: summary.simulatedSeconds, simulatorSeconds: summary.simulatorSeconds }
}

const report = async (): Promise<ServerReport> => {
  const runCpuSeconds = await Promise.all(server.directory.all().map((channel) => channel.cpuSeconds()))
  const { rss, heapUsed, arrayBuffers } = process.memoryUsage()
  return {
    port: server.port,
    residentBytes: rss,
    heapBytes: heapUsed,
    bufferBytes: arrayBuffers,
    cpuSeconds: process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
    times: server.directory.entries().map((entry) => entry.time),
    work: await Promise.all(server.directory.all().map(workOf)),
    runCpuSeconds: runCpuSeconds.map((seconds) => seconds ?? 0),
  }
}
const send = async (): Promise<void> => void process.send?.(await report())
await send()
setInterval(() => void send(), 1000)
process.on('message', async (order) => {
  if (order === 'report') return send()
  await server.close()
  process.exit(0)
})
