import { setSeconds, timeFromSeconds } from '@windtunnel/des'
import { emptyDraft } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import { createSimulation, type Outage, routers, schedulers, type VllmOptions, vllm } from '../src/index.ts'
import { listed } from './reference/randomTraffic.ts'
import { oneSecond, StepLog } from './reference/stepLog.ts'

const options: VllmOptions = {
  maxModelLength: 1000,
  prefixCache: true,
  maxBatchedTokens: 16,
  maxSequences: 1,
  blockSize: 4,
  totalBlocks: 100,
  chunkedPrefill: true,
  longPrefillThreshold: 0,
  reserveFullPrompt: true,
  watermark: 0,
  asyncScheduling: false,
}

/** First tokens are told again when an answer starts over. */
class Log extends StepLog {
  readonly firsts: string[] = []

  override firstToken(request: number, time: number): void {
    this.firsts.push(`${time}: ${'ABCD'[request]}`)
  }
}

/** A and C on the first replica, B and D on the second, one at a time: three steps of a second each. */
function fleet(outages: readonly Outage[], latencySeconds = 0, timeoutSeconds = Number.POSITIVE_INFINITY) {
  const drafts = [0, 1, 2, 3].map((tag) => {
    const draft = { ...emptyDraft(), tag, inputTokens: 16, outputTokens: 3, maxTokens: 3, timeoutSeconds }
    draft.arrival = setSeconds({ seconds: 0, ticks: 0 }, 0)
    return draft
  })
  const log = new Log()
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas: 2,
        createEngine: (context) => vllm.create(context, options),
        scheduler: schedulers.get('fcfs')!,
        cost: oneSecond,
        frontEnd: { latencySeconds, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source: listed(drafts),
    router: routers.get('round-robin')!,
    outages,
    seed: 1,
  })
  simulation.observe(log)
  return { log, simulation, runTo: (at: number): void => void simulation.runUntil(timeFromSeconds(at), 100_000) }
}

const outage: Outage = { replica: 0, atSeconds: 1.5, downSeconds: 10 }

describe('a replica that is away for a while', () => {
  it('serves its requests anew when it is back, also one of which a token is out; others go on', () => {
    const { log, runTo } = fleet([outage])
    runTo(100)
    expect(log.ends).toEqual(['3: B completed 3', '6: D completed 3', '14.5: A completed 3', '17.5: C completed 3'])
    expect(log.firsts).toEqual(['1: A', '1: B', '4: D', '12.5: A', '15.5: C'])
  })

  it('takes no new requests and holds nothing meanwhile', () => {
    const { simulation, runTo } = fleet([outage])
    runTo(2)
    const [away, other] = simulation.view().replicas
    expect(away).toMatchObject({ state: 'starting', running: 0, waiting: 0, usedBlocks: 0, stepsDone: 1 })
    expect(other).toMatchObject({ state: 'up', running: 1 })
    runTo(11.5)
    expect(simulation.view().replicas[0]).toMatchObject({ state: 'up', running: 1 })
  })

  it('gets what was still with its front end when it is back', () => {
    const { log, runTo } = fleet([{ ...outage, atSeconds: 0.25 }], 0.5)
    runTo(100)
    expect(log.ends.slice(2)).toEqual(['13.25: A completed 3', '16.25: C completed 3'])
  })

  it('stays away until the later end of outages that overlap', () => {
    const { log, runTo } = fleet([
      outage,
      { replica: 0, atSeconds: 5, downSeconds: 20 },
      { ...outage, atSeconds: 6, downSeconds: 1 },
    ])
    runTo(100)
    expect(log.ends.slice(2)).toEqual(['28: A completed 3', '31: C completed 3'])
  })

  it('loses a client who does not wait so long', () => {
    const { log, simulation, runTo } = fleet([outage], 0, 8)
    runTo(100)
    expect(log.ends.slice(2)).toEqual(['8: A timedOut 0', '8: C timedOut 0'])
    expect(simulation.view().replicas[0]).toMatchObject({ state: 'up', running: 0, waiting: 0, usedBlocks: 0 })
  })

  it('is part of the fleet while it is away, and no longer when it is lost', () => {
    const { simulation, runTo } = fleet([outage])
    runTo(2)
    expect(simulation.view().replicas[0]).toMatchObject({ addedAt: 0 })
    expect(simulation.view().replicas[0]!.downAt).toBeUndefined()
    simulation.apply({ kind: 'addReplica', pool: 'main' })
    simulation.apply({ kind: 'killReplica', replica: 0 })
    expect(simulation.view().replicas.map(({ addedAt, downAt }) => [addedAt, downAt])).toEqual([
      [0, expect.closeTo(2, 9)],
      [0, undefined],
      [expect.closeTo(2, 9), undefined],
    ])
  })

  it('may be lost for good meanwhile, and is not hit when it is', () => {
    const { log, simulation, runTo } = fleet([outage, { ...outage, atSeconds: 4 }])
    runTo(2)
    simulation.apply({ kind: 'killReplica', replica: 0 })
    runTo(100)
    expect(log.ends.slice(0, 2)).toEqual(['A', 'C'].map((name) => `${2 + 2 ** -44}: ${name} failed 0`))
    expect(simulation.view().replicas[0]!.state).toBe('down')
  })

  it('must be one of the fleet', () => {
    expect(() => fleet([{ ...outage, replica: 2 }])).toThrow('outage 0: replica 2')
  })
})

describe('a replica that was killed', () => {
  it('tells of no step that had not ended, and holds nothing', () => {
    const { log, simulation, runTo } = fleet([])
    runTo(1.5)
    simulation.apply({ kind: 'killReplica', replica: 0 })
    const before = log.ends.length
    runTo(100)
    expect(simulation.view().replicas[0]).toMatchObject({ running: 0, waiting: 0, usedBlocks: 0, stepsDone: 1 })
    expect(before).toBe(2)
  })
})
