import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bindRouter, routers } from '../../src/index.ts'
import { DecisionTrace } from '../../src/routers/decision.ts'
import { request, router, viewOf } from './fakeView.ts'

const loads = fc.array(fc.nat(20), { minLength: 1, maxLength: 12 })

describe.each([...routers.keys()])('the contract of routers: %s', (name) => {
  const { options = {}, description } = routers.get(name)!

  it('chooses one of the candidates, the same with the same seed and the same history', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(loads, fc.nat(5), fc.nat(5)), { maxLength: 12 }), fc.nat(), (turns, seed) => {
        const [first, second] = [router(name, {}, seed), router(name, {}, seed)]
        for (const [at, [here, session, prefixNode]] of turns.entries()) {
          const view = viewOf({
            loads: here,
            version: at,
            nowSeconds: at,
            prefixNode,
            cached: here.map((load) => load * 16),
          })
          const chosen = first(request({ session }), view)
          expect(Number.isInteger(chosen) && chosen >= 0 && chosen < here.length).toBe(true)
          expect(second(request({ session }), view)).toBe(chosen)
        }
      }),
    )
  })

  it('leaves the request as it is, and chooses the same when it is asked for its reasons', () => {
    const asked = request({ session: 3, tenant: 1, prompt: 7 })
    const fake = { loads: [2, 1, 3], prefixNode: 7 }
    const chosen = router(name)(Object.freeze({ ...asked }), viewOf(fake))
    const trace = new DecisionTrace()
    expect(router(name)(asked, viewOf({ ...fake, trace }))).toBe(chosen)
    expect(trace.reason).not.toBe('')
  })

  it('describes itself and every option with a sentence, a default and bounds', () => {
    expect(description.length).toBeGreaterThan(10)
    for (const [option, notes] of Object.entries(options)) {
      expect(notes.sentence, option).toMatch(/\.$/)
      expect(notes, option).toHaveProperty('default')
      if (notes.kind === 'number') expect(notes.minimum ?? notes.above, option).toBeDefined()
      if (option.endsWith('Seconds')) expect(notes.unit).toBe('seconds')
    }
  })

  it('refuses an option that it does not have', () => {
    if (routers.get(name)!.options === undefined) return
    expect(() => bindRouter(routers.get(name)!, { stalenesSeconds: 1 })).toThrow('stalenesSeconds')
    expect(() => bindRouter(routers.get(name)!, { stalenessSeconds: -1 })).toThrow('at least 0')
  })
})

describe('kv-aware', () => {
  it('weighs cached tokens against outstanding requests', () => {
    // 1000 - 0 + 512 * 1 = 1512 against 1000 - 600 + 512 * 2 = 1424 and 1000 - 100 + 512 * 2 = 1924.
    const view = viewOf({ loads: [1, 2, 2], cached: [0, 600, 100] })
    expect(router('kv-aware')(request(), view)).toBe(1)
    // With 1000 tokens for a request: 2000, 2400, 2900.
    expect(router('kv-aware', { requestTokens: 1000 })(request(), view)).toBe(0)
  })
})

describe('hashing with bounded load', () => {
  const keys = Array.from({ length: 400 }, (_, at) => at + 1)
  const unbounded = { loadFactor: 1e6 }

  it('moves only the keys of a replica that goes', () => {
    const choose = router('consistent-hash', unbounded)
    const place = (replicas: number[], version: number) =>
      keys.map(
        (session) =>
          replicas[choose(request({ session }), viewOf({ loads: replicas.map(() => 0), replicas, version }))]!,
      )
    const before = place([0, 1, 2, 3, 4], 0)
    const after = place([0, 1, 3, 4], 1)
    for (const [at, replica] of before.entries()) if (replica !== 2) expect(after[at]).toBe(replica)
    // Shares are even within what 64 points a replica give: 80 keys each, within half.
    for (const replica of [0, 1, 2, 3, 4]) {
      const share = before.filter((one) => one === replica).length
      expect(share).toBeGreaterThan(40)
      expect(share).toBeLessThan(120)
    }
  })

  it('lets nobody hold more than its factor of the mean', () => {
    const choose = router('prefix-affinity', { loadFactor: 1.25 })
    const loads = [0, 0, 0, 0]
    for (let i = 1; i <= 100; i++) {
      const chosen = choose(request(), viewOf({ loads, prefixNode: 7 }))
      loads[chosen] = loads[chosen]! + 1
      expect(Math.max(...loads)).toBeLessThanOrEqual(Math.ceil((1.25 * i) / 4))
    }
  })

  it('keeps a prefix together, and sends what shares nothing to the least loaded', () => {
    const choose = router('prefix-affinity', unbounded)
    const at = (prefixNode: number, loads: number[]) => choose(request(), viewOf({ loads, prefixNode }))
    for (const node of [1, 2, 3]) expect(at(node, [9, 0, 4])).toBe(at(node, [0, 7, 1]))
    expect(at(0, [9, 4, 7])).toBe(1)
  })
})
