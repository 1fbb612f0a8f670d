import { describe, expect, it } from 'vitest'
import {
  CommandError,
  createSimulation,
  type EngineContext,
  type Picker,
  type QueuedRequest,
  type QueueView,
  schedulers,
  staticBatching,
} from '../../src/index.ts'
import { fairShareWith } from '../../src/schedulers/fairShare.ts'
import { randomScenario } from '../reference/randomScenario.ts'

const request = (fields: Partial<QueuedRequest> = {}): QueuedRequest => ({
  arrivalSeconds: 1,
  deadlineSeconds: Number.POSITIVE_INFINITY,
  inputTokens: 100,
  maxOutputTokens: 50,
  priority: 0,
  tenant: 0,
  serviceClass: 0,
  ...fields,
})

interface Fake {
  waiting: QueuedRequest[]
  cached?: number[]
  input?: Record<number, number>
  output?: Record<number, number>
}

const viewOf = ({ waiting, cached = [], input = {}, output = {} }: Fake): QueueView => ({
  count: waiting.length,
  request: (at) => waiting[at]!,
  cachedTokens: (at) => cached[at] ?? 0,
  servedInput: (tenant) => input[tenant] ?? 0,
  servedOutput: (tenant) => output[tenant] ?? 0,
})

const picker = (name: string): Picker => schedulers.get(name)!.start!()

describe.each([...schedulers.values()])('the contract of schedulers: $name', (scheduler) => {
  it('says what it does, and orders by a rank or by a choice, not by both', () => {
    expect(scheduler.description.length).toBeGreaterThan(10)
    expect(scheduler.rank === undefined || scheduler.start === undefined).toBe(true)
    if (scheduler.victim === 'worstRank') expect(scheduler.rank).toBeDefined()
  })

  it('is pure: the same request has the same rank, the same queue the same first, and neither is changed', () => {
    const one = Object.freeze(request({ inputTokens: 7, priority: 2, deadlineSeconds: 5 }))
    if (scheduler.rank !== undefined) {
      expect(scheduler.rank(one)).toBe(scheduler.rank(one))
      expect(Number.isNaN(scheduler.rank(one))).toBe(false)
    }
    if (scheduler.start === undefined) return
    const view = viewOf({ waiting: [one, Object.freeze(request({ tenant: 1 }))], cached: [0, 64], output: { 0: 9 } })
    const order = scheduler.start()
    const first = order.pick(view)
    expect([0, 1]).toContain(first)
    expect(order.pick(view)).toBe(first)
    expect(scheduler.start().pick(view)).toBe(first)
    expect(order.pick(viewOf({ waiting: [one] }))).toBe(0)
  })
})

describe('edf', () => {
  it('lets the nearest deadline go first, and those without one last', () => {
    const { rank } = schedulers.get('edf')!
    const deadlines = [3, Number.POSITIVE_INFINITY, 2]
    const sorted = deadlines.toSorted((a, b) =>
      rank!(request({ deadlineSeconds: a })) < rank!(request({ deadlineSeconds: b })) ? -1 : 1,
    )
    expect(sorted).toEqual([2, 3, Number.POSITIVE_INFINITY])
  })
})

describe('lpm', () => {
  it('lets the longest match go first, the earliest of equals', () => {
    const waiting = [request(), request(), request(), request()]
    expect(picker('lpm').pick(viewOf({ waiting, cached: [16, 64, 0, 64] }))).toBe(1)
  })
})

describe('fair-share', () => {
  it('counts an output token as two of a prompt: the tenant served least goes first, its earliest request before its others', () => {
    const waiting = [request({ tenant: 0 }), request({ tenant: 1 }), request({ tenant: 1 })]
    const pick = (input: Fake['input'], output: Fake['output']) =>
      picker('fair-share').pick(viewOf({ waiting, input: input!, output: output! }))
    // 100 + 2 * 50 = 200 against 150 + 2 * 30 = 210.
    expect(pick({ 0: 100, 1: 150 }, { 0: 50, 1: 30 })).toBe(0)
    // 100 + 2 * 60 = 220 against 210.
    expect(pick({ 0: 100, 1: 150 }, { 0: 60, 1: 30 })).toBe(1)
  })

  it('gives a tenant of weight 3 three times as much', () => {
    const order = fairShareWith({ input: 1, output: 2, tenants: [1, 3] }).start!()
    const waiting = [request({ tenant: 0 }), request({ tenant: 1 })]
    expect(order.pick(viewOf({ waiting, input: { 0: 100, 1: 299 } }))).toBe(1)
    expect(order.pick(viewOf({ waiting, input: { 0: 100, 1: 301 } }))).toBe(0)
  })

  it('lets nobody save up while away: who comes back is lifted to the least of those who wait', () => {
    const order = picker('fair-share')
    const served = { input: { 0: 1000, 1: 1200 } }
    const busy = viewOf({ waiting: [request({ tenant: 0 }), request({ tenant: 1 })], ...served })
    order.joined!(request({ tenant: 2 }), busy)
    const waiting = [request({ tenant: 0 }), request({ tenant: 1 }), request({ tenant: 2 })]
    // Tenant 2 begins at 1000, not at 0: after 1 token of service tenant 0 is before it.
    expect(order.pick(viewOf({ waiting, input: { ...served.input, 2: 1 } }))).toBe(0)
    expect(order.pick(viewOf({ waiting, input: { 0: 1002, 1: 1200, 2: 1 } }))).toBe(2)
  })

  it('lifts to the last served when nobody waits', () => {
    const order = picker('fair-share')
    order.admitted!(request({ tenant: 0 }))
    order.joined!(request({ tenant: 1 }), viewOf({ waiting: [], input: { 0: 500 } }))
    const waiting = [request({ tenant: 1 }), request({ tenant: 0 })]
    expect(order.pick(viewOf({ waiting, input: { 0: 500, 1: 1 } }))).toBe(1)
  })

  it('refuses a share that is none', () => {
    expect(() => fairShareWith({ input: 1, output: 2, tenants: [0] })).toThrow('tenant weights above 0, found 0')
  })
})

describe('an engine that orders its queue once', () => {
  it('refuses an order that must be asked at every step, at the start and as a command', () => {
    const config = randomScenario(1)
    const options = { maxSequences: 4, maxWaitSeconds: 0, blockSize: 16, totalBlocks: 100, maxModelLength: 512 }
    const pool = (name: string) => ({
      ...config.pools[0]!,
      role: 'both' as const,
      scheduler: schedulers.get(name)!,
      createEngine: (context: EngineContext) => staticBatching.create(context, { ...options, prefixCache: false }),
    })
    const create = (name: string) => createSimulation({ ...config, transfer: undefined, pools: [pool(name)] })
    const words = 'scheduler fair-share changes its order while requests wait'
    expect(() => create('fair-share')).toThrow(words)
    const simulation = create('fcfs')
    expect(() => simulation.apply({ kind: 'scheduler', name: 'fair-share' })).toThrow(CommandError)
    expect(() => simulation.apply({ kind: 'scheduler', name: 'fair-share' })).toThrow(words)
  })
})
