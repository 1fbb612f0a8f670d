import { toSeconds, zeroTime } from '@windtunnel/des'
import { emptyDraft } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import { ClosedLoopSource } from '../../src/validate/replay/closedLoopSource.ts'
import { ReplaySource } from '../../src/validate/replay/replaySource.ts'
import { stagedRequests } from '../../src/validate/replay/stagedRequests.ts'

describe('a replay', () => {
  it('sends requests in order of arrival, and gives one prompt one node below the text that its group shares', () => {
    const base = { inputTokens: 50, outputTokens: 5, group: 0, groupTokens: 20 }
    const source = new ReplaySource([
      { ...base, arrivalSeconds: 2, prompt: 1 },
      { ...base, arrivalSeconds: 1, prompt: 0 },
      { ...base, arrivalSeconds: 3, prompt: 1 },
    ])
    const nodes: number[] = []
    const times: number[] = []
    const draft = emptyDraft()
    const at = zeroTime()
    while (source.peek(at)) {
      source.take(draft)
      times.push(toSeconds(draft.arrival))
      nodes.push(draft.prompt)
    }
    expect(times).toEqual([1, 2, 3])
    expect(nodes[1]).toBe(nodes[2])
    expect(nodes[0]).not.toBe(nodes[1])
    expect(source.tree.parentOf(nodes[0]!)).toBe(source.tree.parentOf(nodes[1]!))
    expect(source.tree.depthOf(source.tree.parentOf(nodes[0]!))).toBe(20)
    expect(source.tree.depthOf(nodes[0]!)).toBe(50)
  })
})

describe('a closed loop', () => {
  const traffic = {
    kind: 'closedLoop',
    users: 2,
    requests: 3,
    inputTokens: 100,
    outputTokens: 40,
    leastShare: 0.8,
    outputJitter: 0,
  } as const

  it('starts all users at once, sends the next request when one ended, and stops after all were sent', () => {
    const source = new ClosedLoopSource(traffic, 1)
    const at = zeroTime()
    const draft = emptyDraft()
    expect(source.peek(at)).toBe(true)
    source.take(draft)
    source.take(draft)
    expect(source.peek(at)).toBe(false)
    source.ended(0, 'completed', { seconds: 7, ticks: 0 })
    expect(source.peek(at)).toBe(true)
    source.take(draft)
    expect(toSeconds(draft.arrival)).toBe(7)
    source.ended(0, 'completed', { seconds: 9, ticks: 0 })
    expect(source.peek(at)).toBe(false)
  })

  it('draws lengths between the least share and the full length', () => {
    const source = new ClosedLoopSource({ ...traffic, users: 200, requests: 200 }, 1)
    const draft = emptyDraft()
    for (let i = 0; i < 200; i++) {
      source.take(draft)
      expect(draft.inputTokens).toBeGreaterThanOrEqual(80)
      expect(draft.inputTokens).toBeLessThanOrEqual(100)
      expect(draft.outputTokens).toBeGreaterThanOrEqual(32)
      expect(draft.outputTokens).toBeLessThanOrEqual(40)
    }
  })
})

describe('staged traffic', () => {
  it('has rate x duration requests in each stage, and repeats its prompts in turn', () => {
    const requests = stagedRequests(
      {
        stages: [
          { requestsPerSecond: 2, seconds: 10 },
          { requestsPerSecond: 5, seconds: 10 },
        ],
        systemTokens: 100,
        questionTokens: 400,
        outputTokens: 50,
        prompts: 10,
        groups: 2,
      },
      1,
    )
    expect(requests).toHaveLength(70)
    expect(requests.filter((request) => request.arrivalSeconds <= 10)).toHaveLength(20)
    expect(requests[0]!.prompt).toBe(0)
    expect(requests[13]!.prompt).toBe(3)
    expect(requests[13]!.inputTokens).toBe(requests[3]!.inputTokens)
    expect(requests[4]!.group).toBe(0)
    expect(requests[5]!.group).toBe(1)
  })
})
