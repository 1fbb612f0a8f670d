import { emptyDraft } from '@windtunnel/workload'
import { describe, expect, it } from 'vitest'
import { RequestTable } from '../src/requests.ts'

describe('the table of live requests', () => {
  it('keeps every request while it grows, also where it grows by much at once', () => {
    const table = new RequestTable()
    const draft = emptyDraft()
    const requests = 70_000
    const slots: number[] = []
    for (let id = 0; id < requests; id++) {
      draft.inputTokens = 1 + (id % 977)
      draft.maxTokens = draft.outputTokens = 1 + (id % 131)
      slots.push(table.add(draft, id))
    }
    expect(table.live).toBe(requests)
    expect(new Set(slots).size).toBe(requests)
    const wrong = slots.filter(
      (slot, id) =>
        table.id[slot] !== id ||
        table.inputTokens[slot] !== 1 + (id % 977) ||
        table.outputTokens[slot] !== 1 + (id % 131) ||
        table.emitted[slot] !== 0,
    )
    expect(wrong).toEqual([])
  })

  it('gives a slot to another request once it is given back, and refuses to take it back twice', () => {
    const table = new RequestTable()
    const slot = table.add(emptyDraft(), 0)
    table.emitted[slot] = 5
    table.remove(slot)
    expect(() => table.remove(slot)).toThrow(/twice/)
    expect(table.add(emptyDraft(), 1)).toBe(slot)
    expect(table.emitted[slot]).toBe(0)
    expect(table.live).toBe(1)
  })
})
