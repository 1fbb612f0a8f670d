import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { NodePages } from '../src/nodePages.ts'
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

describe('the memory of a prompt tree', () => {
  /** Conversations of 10 texts, one after the other; returns the tree. */
  function talk(conversations: number) {
    const tree = createPromptTree()
    const system = tree.fresh(0, 100)
    let leaf = system
    for (let one = 0; one < conversations; one++) {
      leaf = system
      for (let text = 0; text < 10; text++) leaf = tree.fresh(leaf, 7)
      tree.release(leaf, system, one)
    }
    return { tree, system, leaf }
  }

  it('answers for texts just released, and for those that are shared for ever', () => {
    const { tree, system, leaf } = talk(100_000)
    expect(tree.depthOf(leaf)).toBe(170)
    expect(tree.parentOf(system)).toBe(0)
    expect(tree.depthOf(tree.fresh(system, 5))).toBe(105)
    expect(tree.size).toBe(1_000_003)
  })

  it('is given back: texts released long ago are gone, and their numbers are not used again', () => {
    const { tree } = talk(100_000)
    expect(() => tree.depthOf(10_000)).toThrow(TypeError)
  })

  it('follows the conversations that live at once, not all there ever were', () => {
    const pages = new NodePages()
    const live = 50_000
    for (let node = 0; node < 2_000_000; node++) {
      pages.add(0, 1, undefined)
      if (node >= live) pages.release(node - live, node / 100)
    }
    // 100 a second: 50,000 live in 13 or 14 pages of 4,096, 60,000 of the last 600 s in 15 or 16, and one is being filled.
    expect(pages.held).toBeLessThanOrEqual(32 * 4096)
    expect(pages.parentOf(pages.length - live)).toBe(0)
  })
})
