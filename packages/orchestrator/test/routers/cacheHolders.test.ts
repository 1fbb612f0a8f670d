import fc from 'fast-check'
import { expect, it } from 'vitest'
import { CacheHolders } from '../../src/kv/cacheHolders.ts'

it('who holds a node is what a map of sets says, however far apart the nodes lie', () => {
  const step = fc.record({
    node: fc.constantFrom(0, 1, 4095, 4096, 10_000_000),
    replica: fc.integer({ min: 0, max: 3 }),
  })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const holders = new CacheHolders()
      const model = new Map<number, Set<number>>()
      for (const { node, replica } of steps) {
        const known = model.get(node) ?? new Set()
        model.set(node, known)
        if (known.delete(replica)) holders.remove(node, replica)
        else {
          known.add(replica)
          holders.add(node, replica)
        }
        for (const [one, replicas] of model) expect(new Set(holders.of(one))).toEqual(replicas)
      }
    }),
  )
})
