import { setSeconds, timeFromSeconds } from '@windtunnel/des'
import { emptyDraft } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import { createSimulation, routers, type Straggler, schedulers, type VllmOptions, vllm } from '../src/index.ts'
import { listed } from './reference/randomTraffic.ts'
import { oneSecond, StepLog } from './reference/stepLog.ts'

const options: VllmOptions = {
  maxModelLength: 100,
  prefixCache: false,
  maxBatchedTokens: 16,
  maxSequences: 4,
  blockSize: 4,
  totalBlocks: 100,
  chunkedPrefill: true,
  longPrefillThreshold: 0,
  reserveFullPrompt: true,
  watermark: 0,
  asyncScheduling: false,
}

/** Gaps between the four tokens of one request on a replica whose steps take a second each. */
function gaps(stragglers: readonly Straggler[], asyncScheduling = false, output = 4): number[] {
  const draft = { ...emptyDraft(), inputTokens: 8, outputTokens: output, maxTokens: output }
  draft.arrival = setSeconds({ seconds: 0, ticks: 0 }, 0)
  const log = new StepLog()
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas: 1,
        createEngine: (context) => vllm.create(context, { ...options, asyncScheduling }),
        scheduler: schedulers.get('fcfs')!,
        cost: oneSecond,
        frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source: listed([draft]),
    router: routers.get('round-robin')!,
    stragglers,
    seed: 1,
  })
  simulation.observe(log)
  simulation.runUntil(timeFromSeconds(100), 1000)
  return log.gaps
}

const slow = { replica: 0, fromSeconds: 1.5, untilSeconds: 3.5, factor: 2 }

describe('a replica that is slow for a while', () => {
  it('takes longer for the steps that it composes meanwhile, and for no others', () => {
    // Steps of 0-1 (the prompt), 1-2, 2-4 (composed at 2) and 4-5.
    expect(gaps([slow])).toEqual([1, 2, 1])
  })

  it('composes one step ahead with async scheduling, so that it is slow a step later', () => {
    // 2-3 is composed at 1, 3-5 at 2, 5-7 at 3, 7-8 at 5.
    expect(gaps([slow], true, 6)).toEqual([1, 1, 2, 2, 1])
  })

  it('is as slow as the slowest of its stragglers that overlap', () => {
    const slower = { ...slow, fromSeconds: 2.5, untilSeconds: 4.5, factor: 3 }
    // 2-4 by the first; at 4 the second alone goes on: 4-7.
    expect(gaps([slow, slower])).toEqual([1, 2, 3])
    // At 2 both count: 2-5, and from 4.5 on neither.
    expect(gaps([slow, { ...slower, fromSeconds: 2 }])).toEqual([1, 3, 1])
  })

  it('must be one of the fleet, with a factor above 0 and an end after its beginning', () => {
    expect(() => gaps([{ ...slow, replica: 1 }])).toThrow('straggler 0: the fleet has no replica 1')
    expect(() => gaps([{ ...slow, factor: 0 }])).toThrow('a factor above 0')
    expect(() => gaps([{ ...slow, untilSeconds: 1 }])).toThrow('an end after 1.5 s')
  })
})
