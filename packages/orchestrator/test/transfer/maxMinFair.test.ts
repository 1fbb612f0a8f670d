import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type SharedLink, type Sharer, shareFairly } from '../../src/transfer/maxMinFair.ts'

let rank = 0
const link = (bytesPerSecond: number): SharedLink => ({ bytesPerSecond, left: 0, open: 0, rank: rank++ })
const flow = (...links: SharedLink[]): Sharer => ({ links, share: 0 })

describe('max-min fair shares', () => {
  it('give what a flow cannot use elsewhere to the others', () => {
    const wide = link(10)
    const narrow = link(4)
    const flows = [flow(wide), flow(wide, narrow), flow(narrow)]
    shareFairly(flows)
    // The narrow link fixes 2 for its two flows; the wide one has 8 left for the other.
    expect(flows.map((one) => one.share)).toEqual([8, 2, 2])
  })

  it('never exceed a link, and leave nobody who could have more without taking from a smaller one', () => {
    const scenario = fc.record({
      capacities: fc.array(fc.integer({ min: 1, max: 100 }), { minLength: 1, maxLength: 6 }),
      routes: fc.array(fc.array(fc.nat(5), { minLength: 1, maxLength: 3 }), { minLength: 1, maxLength: 12 }),
    })
    fc.assert(
      fc.property(scenario, ({ capacities, routes }) => {
        const links = capacities.map(link)
        const flows = routes.map((route) => flow(...new Set(route.map((at) => links[at % links.length]!))))
        shareFairly(flows)
        const used = (one: SharedLink): number =>
          flows.filter((it) => it.links.includes(one)).reduce((sum, it) => sum + it.share, 0)
        for (const one of links) expect(used(one)).toBeLessThanOrEqual(one.bytesPerSecond * (1 + 1e-9))
        for (const one of flows) {
          // Some link of it is full, and nobody there has more.
          const bound = one.links.some(
            (it) =>
              used(it) > it.bytesPerSecond * (1 - 1e-9) &&
              flows.every((other) => !other.links.includes(it) || other.share <= one.share * (1 + 1e-9)),
          )
          expect(bound).toBe(true)
        }
      }),
    )
  })
})
