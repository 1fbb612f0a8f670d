import { fork } from 'node:child_process'
import { LoadViewer, type Manner, type Tally } from './loadViewer.ts'
import { option, wait } from './options.ts'
import type { ServerOrders, ServerReport } from './orders.ts'

const usage = `npm run bench:live -- [--viewers 1000] [--runs 10] [--seconds 600] [--speed 100]

Viewers of a live server, some slow, some coming and going, some talking nonsense. Prints one JSON document; exits with 1
when frames came out of order or the end of a run did not reach somebody.`

/** Seconds after the last run has ended in which viewers may catch up; on a crowded machine they are behind. */
const SETTLING_SECONDS = 120
/** Of 20 viewers, so many of each manner; the rest is steady. */
const MANNERS: readonly Manner[] = ['slow', 'restless', 'noisy']

const MEBI = 1024 * 1024

const viewers = option('viewers', 1000, usage)
const runs = option('runs', 10, usage)
const seconds = option('seconds', 600, usage)
const speed = option('speed', 100, usage)

const orders: ServerOrders = { runs, speed, durationSeconds: Math.round(seconds * speed) }
const program = new URL('./serverProcess.ts', import.meta.url)
const child = fork(program, [JSON.stringify(orders)], { execArgv: ['--conditions=@windtunnel/source'] })
const reports: ServerReport[] = []
const first = new Promise<ServerReport>((resolve) => child.once('message', (report) => resolve(report as ServerReport)))
child.on('message', (report) => reports.push(report as ServerReport))
const { port } = await first

const tally: Tally = { frames: 0, bytes: 0, merged: 0, disordered: 0, connections: 0, errors: 0 }
const audience = Array.from({ length: viewers }, (_, index) => {
  const url = `ws://127.0.0.1:${port}/api/stream?run=run-${index % runs}`
  return new LoadViewer(url, MANNERS[index % 20] ?? 'steady', tally)
})
const acting = setInterval(() => {
  for (const viewer of audience) viewer.act(Math.random())
}, 1000)

const begun = performance.now()
const over = (): boolean => reports.at(-1)?.times.every((time) => time >= orders.durationSeconds) === true
while (!over() && performance.now() - begun < seconds * 3000) await wait(1)
const wallSeconds = (performance.now() - begun) / 1000
clearInterval(acting)
for (const viewer of audience) viewer.settle()
const settled = performance.now()
const notTold = (): number => audience.filter((viewer) => !viewer.ended).length
while (notTold() > 0 && performance.now() - settled < SETTLING_SECONDS * 1000) await wait(0.5)
const settlingSeconds = (performance.now() - settled) / 1000

/** Mean of what each quarter of the reports says, mebibytes. */
const quarters = (read: (report: ServerReport) => number): number[] =>
  [0, 1, 2, 3].map((quarter) => {
    const some = reports.slice(
      Math.floor((reports.length * quarter) / 4),
      Math.ceil((reports.length * (quarter + 1)) / 4),
    )
    return Math.round(some.reduce((sum, report) => sum + read(report), 0) / Math.max(1, some.length) / MEBI)
  })
const document = {
  viewers,
  runs,
  speed,
  wallSeconds: Math.round(wallSeconds),
  reachedSpeed: Math.round(orders.durationSeconds / wallSeconds),
  ...tally,
  framesPerSecond: Math.round(tally.frames / wallSeconds),
  endNotTold: notTold(),
  settlingSeconds: Number(settlingSeconds.toFixed(1)),
  serverCpuShare: Number(((reports.at(-1)?.cpuSeconds ?? 0) / wallSeconds).toFixed(2)),
  mebibytesByQuarter: {
    resident: quarters((report) => report.residentBytes),
    serverHeap: quarters((report) => report.heapBytes),
    serverBuffers: quarters((report) => report.bufferBytes),
  },
  mostResidentMebibytes: Math.round(Math.max(...reports.map((report) => report.residentBytes)) / MEBI),
}
process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`)
for (const viewer of audience) viewer.stop()
child.send('stop')
process.exitCode = notTold() > 0 || tally.disordered > 0 ? 1 : 0
