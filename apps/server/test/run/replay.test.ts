import type { ClientMessage, RunSummary } from '@windtunnel/protocol'
import type { LoggedCommand } from '@windtunnel/scenario/drivers/commandLog'
import { readScenario } from '@windtunnel/scenario/schema/decode'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LiveRun } from '../../src/run/liveRun.ts'
import type { RunNews } from '../../src/run/runNews.ts'
import { prepareScenario } from '../../src/run/scenarioRun.ts'

const scenario = readScenario(`version: 1
model: llama-3.1-8b
fleet: [{ name: main, hardware: l40s, replicas: 3, startUpSeconds: 2 }]
traffic:
  arrivals: { name: poisson, requestsPerSecond: 3 }
  structure:
    name: sessions
    turns: { name: fixed, tokens: 3 }
    input: { name: lognormal, mean: 400, cv: 1 }
    output: { name: lognormal, mean: 60, cv: 1 }
    thinkSeconds: 2
  clients: { cancelShare: 0.1, patienceSeconds: 3 }
run: { durationSeconds: 40 }
`)

interface Played {
  readonly summary: RunSummary
  readonly log: LoggedCommand[]
}

/** What a viewer may do at some wall time. */
const deed = fc.oneof(
  fc.record({ type: fc.constant('rate'), requestsPerSecond: fc.double({ min: 0.5, max: 12, noNaN: true }) }),
  fc.record({ type: fc.constant('mix'), promptScale: fc.double({ min: 0.5, max: 2, noNaN: true }) }),
  fc.record({ type: fc.constant('router'), name: fc.constantFrom('round-robin', 'random', 'kv-aware') }),
  fc.record({ type: fc.constant('scheduler'), name: fc.constantFrom('fcfs', 'shortest-first') }),
  fc.record({ type: fc.constant('addReplica'), pool: fc.constant('main') }),
  fc.record({ type: fc.constantFrom('removeReplica', 'killReplica'), replica: fc.integer({ min: 0, max: 4 }) }),
  fc.record({ type: fc.constant('speed'), speed: fc.constantFrom(1, 3, 10) }),
  fc.record({ type: fc.constantFrom('pause', 'start') }),
  fc.record({ type: fc.constant('step'), events: fc.integer({ min: 1, max: 50 }) }),
)
const plan = fc.array(fc.record({ wait: fc.double({ min: 0, max: 1, noNaN: true }), deed }), { maxLength: 12 })

/** Plays the scenario under a clock of its own, with `deeds` on the way, and then to its end. */
async function play(
  deeds: readonly { wait: number; deed: object }[],
  speed: number | 'max',
  replay: readonly LoggedCommand[] = [],
): Promise<Played> {
  let wall = 0
  let summary: RunSummary | undefined
  const tell = (news: RunNews): void => {
    if (news.kind === 'ended') summary = news.summary
  }
  const prepare = prepareScenario(scenario)
  const run = new LiveRun({ run: 'r', prepare, tell, clock: () => wall, seed: 1, speed, replay, autostart: true })
  const say = (message: object) => run.command({ id: 'c', ...message } as ClientMessage)
  await run.open()
  for (const { wait, deed } of deeds) {
    for (const until = wall + wait; wall < until; wall += 0.013) run.turn()
    await say(deed)
  }
  await say({ type: 'start' })
  await say({ type: 'speed', speed: 'max' })
  for (let turns = 0; summary === undefined && turns < 100_000; turns++) {
    wall += 0.01
    run.turn()
  }
  const log = run.log().commands.map(({ seconds, ticks, command }) => ({ time: { seconds, ticks }, command }))
  return { summary: summary!, log }
}

it('whatever viewers do to a run, its seed and command log give the same facts and figures again', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (deeds) => {
      const first = await play(deeds, 5)
      const again = await play([], 'max', first.log)
      expect(again.log).toEqual(first.log)
      expect(again.summary.factsHash).toBe(first.summary.factsHash)
      const { simulatorSeconds: _, ...figures } = first.summary
      expect(again.summary).toMatchObject(figures)
      const slowly = await play([{ wait: 1, deed: { type: 'pause' } }], 7, first.log)
      expect(slowly.summary).toMatchObject(figures)
    }),
    { numRuns: 25 },
  )
})
