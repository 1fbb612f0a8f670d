import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runCalculator } from '../../src/edge/runCalculator.ts'
import type { Plan, PlanOption } from '../../src/planner/planFields.ts'
import { serveSessions } from '../../src/planner/serveSessions.ts'

const plan = (inputs: object): Plan => runCalculator('deployment-planner', inputs).results as unknown as Plan
const optionOf = (found: Plan, layout: string): PlanOption => {
  const option = found.options.find((one) => one.layout === layout)
  if (option === undefined)
    throw new Error(`no option ${layout} among ${found.options.map((one) => one.layout).join(', ')}`)
  return option
}

const bench = { cards: 8, sessions: 4, steps: 8, context: 131064, fraction: 0.75 }
const failure = { at: 0.02, stall: 0.04, semantics: 'redo' }

describe('the bench of the chapter', () => {
  it.each([
    ['bench', 0.13, undefined],
    ['bench-100ms', 0.1, undefined],
    ['bench-170ms', 0.17, undefined],
    ['bench-failure', 0.13, failure],
  ])('%s gives the completion times of deployment_plan within 1e-9', (preset, deadline, broken) => {
    const found = plan({ preset, fraction: 0, findThresholds: false })
    for (const tp of [2, 4, 8]) {
      const expected = runCalculator('deployment_plan', {
        ...bench,
        tp,
        deadline,
        ...(broken === undefined ? {} : { failure: broken }),
      }).results as { done: number[]; cost: number; onTime: number }
      const option = optionOf(found, `dp${8 / tp} tp${tp}`)
      option.done.forEach((done, at) => {
        expect(Math.abs(done - expected.done[at]!)).toBeLessThan(1e-9 * done)
      })
      expect(option.onTime).toBe(expected.onTime)
      expect(option.cost).toBeCloseTo(expected.cost, 9)
    }
  })

  it('chooses four TP2 instances at 130 ms for 0.238 GPU.s; TP1 does not fit 102.03 GB', () => {
    const found = plan({ preset: 'bench' })
    expect(found.best).toBe('dp4 tp2')
    expect(found.options[0]!.costPerOnTime).toBeCloseTo(0.238, 3)
    expect(found.rejected).toMatchObject([{ layout: 'dp8 tp1', reason: 'needs 102.03 GB on a card that has 80.00 GB' }])
  })

  it('finds no layout at 100 ms, for want of three sessions on time', () => {
    const found = plan({ preset: 'bench-100ms' })
    expect(found.best).toBeUndefined()
    const reasons = Object.fromEntries(found.rejected.map((one) => [one.layout, one.reason]))
    expect(reasons['dp4 tp2']).toBe('0 of 4 sessions within 100.00 ms; 3 wanted')
    expect(reasons['dp2 tp4']).toBe('2 of 4 sessions within 100.00 ms; 3 wanted')
  })

  it('loses TP8 to the failure and doubles the cost of TP2', () => {
    const found = plan({ preset: 'bench-failure' })
    expect(found.best).toBe('dp4 tp2')
    expect(found.options[0]!.costPerOnTime).toBeCloseTo(0.478, 3)
    expect(found.rejected.map((one) => one.layout)).toContain('dp1 tp8')
  })

  it('takes TP8 for one session in 50 ms, and TP2 for 32K contexts', () => {
    expect(plan({ preset: 'one-session' }).best).toBe('dp1 tp8')
    const short = plan({ preset: 'bench-32k' })
    expect(short.best).toBe('dp4 tp2')
    expect(short.options[0]!.lastDone).toBeCloseTo(0.0883, 4)
    expect(short.rejected.find((one) => one.layout === 'dp8 tp1')?.lastDone).toBeCloseTo(0.1733, 4)
  })

  it('keeps one session on one of two servers: TP16 across them takes longer than 50 ms', () => {
    const found = plan({ preset: 'two-servers' })
    expect(found.best).toBe('dp2 tp8')
    expect(found.rejected.find((one) => one.tp === 16)?.lastDone).toBeGreaterThan(0.0533)
  })
})

describe('where the answer flips', () => {
  const found = plan({ preset: 'bench' })

  it('is the deadline at which three sessions are done: 119.1 ms for TP2', () => {
    expect(found.byDeadline).toHaveLength(1)
    expect(found.byDeadline[0]).toMatchObject({ layout: 'dp4 tp2' })
    const [deadline] = found.thresholds.filter((one) => one.what === 'deadline')
    expect(deadline!.at).toBeCloseTo(found.byDeadline[0]!.from, 8)
    expect(found.byDeadline[0]!.from).toBeCloseTo(0.1191, 4)
  })

  it('is the memory that TP2 needs, below which TP4 is best', () => {
    const memory = found.thresholds.find((one) => one.what === 'memory of a card')
    expect(memory).toMatchObject({ instead: 'dp2 tp4' })
    expect(memory!.at / optionOf(found, 'dp4 tp2').memoryPerCard).toBeCloseTo(1, 6)
  })

  it('changes the answer on its other side only', () => {
    for (const { what, at, factor, instead } of found.thresholds) {
      const key = {
        deadline: 'deadline',
        'memory bandwidth': 'bandwidth',
        'memory of a card': 'capacity',
        'near link start-up time': 'alpha',
      }[what]
      if (key === undefined) continue
      const nearer = factor < 1 ? at * 1.001 : at * 0.999
      const beyond = factor < 1 ? at * 0.999 : at * 1.001
      expect(plan({ preset: 'bench', [key]: nearer, findThresholds: false }).best, what).toBe('dp4 tp2')
      expect(plan({ preset: 'bench', [key]: beyond, findThresholds: false }).best ?? 'none', what).toBe(instead)
    }
  })
})

describe('a plan', () => {
  it('tries every kind of parallelism of a model with experts, and says what is wrong with each rejected layout', () => {
    const found = plan({
      model: 'qwen3-30b-a3b',
      cards: 8,
      prompt: 1000,
      output: 20,
      sessions: 16,
      concurrency: 8,
      deadline: 2,
      perToken: 0.1,
      findThresholds: false,
    })
    const all = [...found.options, ...found.rejected]
    for (const kind of ['tp', 'pp', 'ep', 'cp'] as const)
      expect(
        all.some((one) => one[kind] > 1),
        kind,
      ).toBe(true)
    for (const { reason } of found.rejected) expect(reason.length).toBeGreaterThan(10)
    const costs = found.options.map((one) => one.costPerOnTime!)
    expect(costs).toEqual(costs.toSorted((a, b) => a - b))
    expect(found.best).toBe(found.options[0]!.layout)
  })

  it('adds the parts of the last session up to its response', () => {
    const found = plan({ preset: 'bench-failure', concurrency: 2, fraction: 0, findThresholds: false })
    for (const one of found.options) {
      const parts =
        one.waitingSeconds +
        one.prefillSeconds +
        one.weightsSeconds +
        one.kvSeconds +
        one.computeSeconds +
        one.reductionSeconds +
        one.exchangeSeconds +
        one.handOffSeconds +
        one.mergeSeconds +
        one.stallSeconds
      expect(parts).toBeCloseTo(one.lastDone, 9)
    }
  })

  it('keeps within the power: 30.6 kW run three servers of eight cards', () => {
    const found = plan({ preset: 'bench', cards: 32, powerBudget: 31_000, findThresholds: false })
    for (const { dp, tp } of found.options) expect(dp * tp).toBeLessThanOrEqual(24)
    expect(found.rejected.every((one) => one.tp < 32 || one.reason.includes('the power budget runs 24'))).toBe(true)
  })
})

const work = {
  concurrency: 2,
  promptTokens: 0,
  contextTokens: 0,
  outputTokens: 4,
  prefillSeconds: () => 1,
  stepSeconds: () => 1,
}

describe('serving sessions on one instance', () => {
  it('takes them in turn, so many at once', () => {
    expect(serveSessions([0, 0, 0], work).map((one) => one.doneAt)).toEqual([4, 4, 8])
  })

  it('prefills each alone; the prefill gives its first token', () => {
    expect(serveSessions([0], { ...work, promptTokens: 10 })[0]).toMatchObject({
      doneAt: 4,
      prefillSeconds: 1,
      decodeSeconds: 3,
    })
    expect(serveSessions([0], { ...work, promptTokens: 10, outputTokens: 1 })[0]!.doneAt).toBe(1)
  })

  it('waits for what has not arrived', () => {
    expect(serveSessions([0, 10], work).map((one) => one.doneAt)).toEqual([4, 14])
  })

  it('starts what runs over after a failure, or lets it go on', () => {
    const at = (semantics: 'redo' | 'pause') =>
      serveSessions([0, 0, 0], { ...work, failure: { atSeconds: 2.5, stallSeconds: 1.5, instance: 0, semantics } }).map(
        (one) => one.doneAt,
      )
    expect(at('redo')).toEqual([8, 8, 12])
    expect(at('pause')).toEqual([5.5, 5.5, 9.5])
  })

  it('finishes every session after it arrived, in no less than its own work', () => {
    const arrivals = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 20 })
    fc.assert(
      fc.property(
        arrivals,
        fc.integer({ min: 1, max: 5 }),
        fc.integer({ min: 0, max: 1 }),
        (found, concurrency, promptTokens) => {
          const sorted = found.toSorted((a, b) => a - b)
          const served = serveSessions(sorted, { ...work, concurrency, promptTokens })
          for (const one of served) expect(one.doneAt - one.arrivedAt).toBeGreaterThanOrEqual(4)
        },
      ),
    )
  })
})
