import { RandomStream } from '@windtunnel/des'
import type { QueueView, RoutedRequest, Router, RouterView, Scheduler } from '@windtunnel/orchestrator'
import { describe, expect, it } from 'vitest'
import { checkedRouter, checkedScheduler } from '../src/input/checkedPolicy.ts'

const request: RoutedRequest = { inputTokens: 1, session: 0, tenant: 0, serviceClass: 0, prompt: 0 }
const view = { count: 4 } as RouterView
const choosing = (choose: () => unknown): Router =>
  checkedRouter('mine.ts', { name: 'mine', description: '', start: () => choose as () => number })
const waiting = {
  arrivalSeconds: 0,
  deadlineSeconds: 1,
  inputTokens: 5,
  maxOutputTokens: 5,
  priority: 0,
  tenant: 0,
  serviceClass: 0,
}

describe('a policy of the user is blamed for its own faults', () => {
  const first = (router: Router) => router.start(new RandomStream(1, 'test'))(request, view)

  it('when a router chooses a replica that is not there', () => {
    expect(first(choosing(() => 3))).toBe(3)
    for (const wrong of [4, -1, 0.5, Number.NaN, undefined])
      expect(() => first(choosing(() => wrong))).toThrow(
        `mine.ts: its choice of mine is ${wrong}; expected a whole number from 0 to 3`,
      )
  })

  it('when it throws', () => {
    const throwing = choosing(() => {
      throw new Error('boom')
    })
    expect(() => first(throwing)).toThrow('mine.ts: its choice of mine failed: boom')
  })

  it('when a scheduler ranks by something that requests do not have', () => {
    const scheduler: Scheduler = { name: 'mine', description: '', victim: 'lastAdmitted', rank: () => Number.NaN }
    expect(() => checkedScheduler('mine.ts', scheduler).rank!(waiting)).toThrow(
      'mine.ts: rank of mine is NaN; expected a number; it was given arrivalSeconds, deadlineSeconds, inputTokens',
    )
  })

  it('when a dynamic order picks nobody', () => {
    const scheduler: Scheduler = {
      name: 'mine',
      description: '',
      victim: 'lastAdmitted',
      start: () => ({ pick: () => 2 }),
    }
    expect(() => checkedScheduler('mine.ts', scheduler).start!().pick({ count: 2 } as QueueView)).toThrow(
      'mine.ts: pick of mine is 2; expected a whole number from 0 to 1',
    )
  })
})
