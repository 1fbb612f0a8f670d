import { setSeconds, timeFromSeconds } from '@windtunnel/des'
import { emptyDraft } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import { createSimulation, routers, schedulers, type VllmOptions, vllm } from '../src/index.ts'
import { listed } from './reference/randomTraffic.ts'
import { oneSecond, StepLog } from './reference/stepLog.ts'

const options: VllmOptions = {
  maxModelLength: 1000,
  prefixCache: true,
  maxBatchedTokens: 8,
  maxSequences: 2,
  blockSize: 4,
  totalBlocks: 100,
  chunkedPrefill: true,
  longPrefillThreshold: 0,
  reserveFullPrompt: true,
  watermark: 0,
  asyncScheduling: true,
}

/** Four requests on two replicas in turn: A and C on the first, B and D on the second. Prompts take two steps of a second. */
function fleet(retries: number, latencySeconds = 0, replicas = 2) {
  const drafts = [0, 1, 2, 3].map((tag) => {
    const draft = { ...emptyDraft(), tag, inputTokens: 16, outputTokens: 3, maxTokens: 3 }
    draft.arrival = setSeconds({ seconds: 0, ticks: 0 }, 0)
    return draft
  })
  const log = new StepLog()
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas,
        createEngine: (context) => vllm.create(context, options),
        scheduler: schedulers.get('fcfs')!,
        cost: oneSecond,
        frontEnd: { latencySeconds, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source: listed(drafts),
    router: routers.get('round-robin')!,
    retries,
    seed: 1,
  })
  simulation.observe(log)
  return {
    log,
    simulation,
    runTo: (seconds: number): void => void simulation.runUntil(timeFromSeconds(seconds), 100_000),
  }
}

const endingOf = (ends: readonly string[], name: string): string =>
  ends.find((end) => end.includes(` ${name} `))!.split(` ${name} `)[1]!

describe('requests whose replica is lost', () => {
  it('fail when nobody sends them again', () => {
    const { log, simulation, runTo } = fleet(0)
    runTo(1.5)
    simulation.apply({ kind: 'killReplica', replica: 0 })
    runTo(100)
    // A tick later: all of 1.5 s had happened.
    expect(log.ends.slice(0, 2)).toEqual(['A', 'C'].map((name) => `${1.5 + 2 ** -44}: ${name} failed 0`))
    expect(log.reasons).toEqual(['replica 0 died', 'replica 0 died'])
  })

  it('begin anew elsewhere when told so, and all end once', () => {
    const { log, simulation, runTo } = fleet(1)
    runTo(1.5)
    simulation.apply({ kind: 'killReplica', replica: 0 })
    runTo(100)
    expect(['A', 'B', 'C', 'D'].map((name) => endingOf(log.ends, name))).toEqual(Array(4).fill('completed 3'))
    expect(log.ends.length).toBe(4)
    expect(simulation.view().replicas[1]!.usedBlocks).toBe(0)
  })

  it('fail when a token of theirs is out already', () => {
    const { log, simulation, runTo } = fleet(1)
    // The prompt of A is complete at 2 s.
    runTo(2.5)
    simulation.apply({ kind: 'killReplica', replica: 0 })
    runTo(100)
    expect(endingOf(log.ends, 'A')).toBe('failed 1')
    expect(endingOf(log.ends, 'C')).toBe('completed 3')
  })

  it('are sent on when they were still with the front end', () => {
    const { log, simulation, runTo } = fleet(1, 0.5)
    runTo(0.25)
    simulation.apply({ kind: 'killReplica', replica: 0 })
    runTo(100)
    expect(['A', 'C'].map((name) => endingOf(log.ends, name))).toEqual(['completed 3', 'completed 3'])
  })

  it('fail when no other replica is there, and when the last of their retries is used', () => {
    const alone = fleet(5, 0, 1)
    alone.runTo(0.5)
    alone.simulation.apply({ kind: 'killReplica', replica: 0 })
    expect(alone.log.reasons[0]).toBe('replica 0 died, and no other takes requests')
    const { log, simulation, runTo } = fleet(1, 0, 3)
    runTo(0.5)
    simulation.apply({ kind: 'killReplica', replica: 0 })
    simulation.apply({ kind: 'killReplica', replica: 1 })
    simulation.apply({ kind: 'killReplica', replica: 2 })
    expect(log.ends.length).toBe(4)
    expect(simulation.view().failed).toBe(4)
  })
})
