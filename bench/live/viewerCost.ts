import { fork } from 'node:child_process'
import { option, wait } from './options.ts'
import type { ServerOrders, ServerReport } from './orders.ts'
import { SilentViewer } from './silentViewer.ts'

const usage = `npm run bench:viewers -- [--viewers 500] [--seconds 8] [--rounds 4]

What viewers cost a run that simulates as fast as it can: rounds of so many seconds without viewers and with them, in turn.
Speed is virtual seconds per second of processor time that simulating takes, so that it does not depend on who else uses the
machine. Prints one JSON document; exits with 1 when viewers cost 5 % of it or more.`

/** Before a round is measured: viewers connect, or leave. */
const SETTLING_SECONDS = 3
const MOST_COST = 0.05

const viewers = option('viewers', 500, usage)
const seconds = option('seconds', 8, usage)
const rounds = option('rounds', 4, usage)

const orders: ServerOrders = { runs: 1, speed: 'max', durationSeconds: 1e9 }
const program = new URL('./serverProcess.ts', import.meta.url)
const child = fork(program, [JSON.stringify(orders)], { execArgv: ['--conditions=@windtunnel/source'] })
const next = (): Promise<ServerReport> =>
  new Promise((resolve) => child.once('message', (report) => resolve(report as ServerReport)))
const { port } = await next()

/** A report of this moment. */
async function ask(): Promise<ServerReport & { at: number }> {
  const answered = next()
  child.send('report')
  return { ...(await answered), at: performance.now() / 1000 }
}

interface Round {
  /** Virtual seconds per second of processor time that simulating took, and per wall second. */
  readonly perCpuSecond: number
  readonly perWallSecond: number
  /** Processor cores that the rest of the server used. */
  readonly otherCores: number
  /** Of the run's thread in all, and for what is not simulating: frames, and whatever viewers might add. */
  readonly runCores: number
  readonly telling: number
}

async function measure(): Promise<Round> {
  await wait(SETTLING_SECONDS)
  const before = await ask()
  await wait(seconds)
  const after = await ask()
  const simulated = after.work[0]!.simulatedSeconds - before.work[0]!.simulatedSeconds
  const cpu = after.runCpuSeconds[0]! - before.runCpuSeconds[0]!
  const work = after.work[0]!.simulatorSeconds - before.work[0]!.simulatorSeconds
  const wall = after.at - before.at
  return {
    perCpuSecond: simulated / work,
    perWallSecond: simulated / wall,
    otherCores: (after.cpuSeconds - before.cpuSeconds - cpu) / wall,
    runCores: cpu / wall,
    telling: (cpu - work) / wall,
  }
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
const middle = (some: readonly Round[]): Round => ({
  perCpuSecond: Math.round(median(some.map((round) => round.perCpuSecond))),
  perWallSecond: Math.round(median(some.map((round) => round.perWallSecond))),
  otherCores: Number(median(some.map((round) => round.otherCores)).toFixed(3)),
  telling: Number(median(some.map((round) => round.telling)).toFixed(3)),
  runCores: Number(median(some.map((round) => round.runCores)).toFixed(3)),
})

let bytes = 0
await wait(5)
const alone: Round[] = []
const watched: Round[] = []
for (let round = 0; round < rounds; round++) {
  alone.push(await measure())
  const audience = Array.from({ length: viewers }, () => new SilentViewer(port))
  watched.push(await measure())
  for (const viewer of audience) viewer.stop()
  bytes += audience.reduce((sum, viewer) => sum + viewer.bytes, 0)
}
const [without, withViewers] = [middle(alone), middle(watched)]
const cost = 1 - withViewers.perCpuSecond / without.perCpuSecond
const document = { viewers, rounds, without, withViewers, cost: Number(cost.toFixed(4)), bytesToViewers: bytes }
process.stdout.write(`${JSON.stringify(document, undefined, 2)}\n`)
child.send('stop')
process.exitCode = cost >= MOST_COST ? 1 : 0
