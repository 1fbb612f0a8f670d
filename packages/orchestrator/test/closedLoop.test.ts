import { setSeconds, timeFromSeconds } from '@windtunnel/des'
import { emptyDraft } from '@windtunnel/workload'
import { expect, it } from 'vitest'
import { createSimulation, routers, schedulers, type VllmOptions, vllm } from '../src/index.ts'
import { listed } from './reference/randomTraffic.ts'
import { oneSecond, StepLog } from './reference/stepLog.ts'

const options: VllmOptions = {
  maxModelLength: 100,
  prefixCache: false,
  maxBatchedTokens: 16,
  maxSequences: 4,
  blockSize: 4,
  totalBlocks: 1,
  chunkedPrefill: true,
  longPrefillThreshold: 0,
  reserveFullPrompt: true,
  watermark: 0,
  asyncScheduling: false,
}

/*
 * Replicas of one block of four tokens, requests in turn: A to the first, B to the second, C to the first. At 1 s both compose. A, whose
 * four tokens fill its block, can never have a fifth and fails; its client sends D, to the second replica. D comes a tick
 * after 1 s: the second replica has begun a step of B alone, and D waits for it, and for B's block.
 */
it('what a failure in a composition causes comes a tick later, when all that compose then have done so', () => {
  const draft = (tag: number, inputTokens: number, outputTokens: number) => {
    const one = { ...emptyDraft(), tag, inputTokens, outputTokens, maxTokens: outputTokens }
    one.arrival = setSeconds({ seconds: 0, ticks: 0 }, 0)
    return one
  }
  const log = new StepLog()
  const arrivals: number[] = []
  log.arrived = (_request, time) => void arrivals.push(time)
  const simulation = createSimulation({
    pools: [
      {
        name: 'main',
        role: 'both',
        replicas: 2,
        createEngine: (context) => vllm.create(context, options),
        scheduler: schedulers.get('fcfs')!,
        cost: oneSecond,
        frontEnd: { latencySeconds: 0, secondsPerPromptToken: 0 },
        startUpSeconds: 0,
      },
    ],
    source: listed([draft(0, 4, 3), draft(1, 1, 2), draft(2, 1, 1)], new Map([[0, draft(3, 1, 1)]])),
    router: routers.get('round-robin')!,
    seed: 1,
  })
  simulation.observe(log)
  simulation.runUntil(timeFromSeconds(10), 1000)
  expect(log.ends[0]).toBe('1: A failed 1')
  expect(arrivals[3]).toBe(1 + 2 ** -44)
  expect(log.admissions).toEqual(['0: A 0/4', '0: B 0/1', '1: C 0/1', '2: D 0/1'])
})
