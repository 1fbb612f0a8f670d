import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { createPromptTree } from '../src/tokenRuns.ts'

describe('the prompt tree', () => {
  it('gives one node for the same parent, content and length, and another for any difference', () => {
    const tree = createPromptTree()
    const a = tree.child(0, 7, 512)
    expect(tree.child(0, 7, 512)).toBe(a)
    expect(tree.child(0, 7, 511)).not.toBe(a)
    expect(tree.child(0, 8, 512)).not.toBe(a)
    expect(tree.child(a, 7, 512)).not.toBe(a)
    expect(tree.parentOf(a)).toBe(0)
    expect(tree.depthOf(tree.child(a, 9, 20))).toBe(532)
    expect(tree.depthOf(0)).toBe(0)
  })
  it('gives a fresh node every time, which nothing finds by content', () => {
    const tree = createPromptTree()
    const a = tree.fresh(0, 10)
    expect(tree.fresh(0, 10)).not.toBe(a)
    expect(tree.child(0, 0, 10)).not.toBe(a)
  })
  it('agrees with a map of paths through any growth', () => {
    const step = fc.record({
      parent: fc.nat(),
      content: fc.oneof(fc.integer({ min: 0, max: 3 }), fc.maxSafeInteger()),
      tokens: fc.integer({ min: 1, max: 3 }),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 400 }), (steps) => {
        const tree = createPromptTree()
        const model = new Map<string, number>()
        for (const { parent, content, tokens } of steps) {
          const from = parent % tree.size
          const key = `${from}/${content}/${tokens}`
          const known = model.get(key)
          const before = tree.size
          const node = tree.child(from, content, tokens)
          expect(node).toBe(known ?? before)
          model.set(key, node)
          expect(tree.parentOf(node)).toBe(from)
          expect(tree.depthOf(node)).toBe(tree.depthOf(from) + tokens)
        }
      }),
    )
  })
  it('refuses runs without tokens and parents that do not exist', () => {
    const tree = createPromptTree()
    expect(() => tree.child(0, 1, 0)).toThrow('at least 1 token')
    expect(() => tree.fresh(5, 1)).toThrow('no node 5')
    expect(() => tree.child(0, 0.5, 1)).toThrow('safe integer')
  })
})
