import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { LiveSlots, NO_SLOT } from '../../src/timeline/liveSlots.ts'

describe('slots of live requests', () => {
  it('agree with a map whatever opens and closes, and never give one slot to two', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.boolean(), fc.nat(120)), { maxLength: 600 }), (moves) => {
        const slots = new LiveSlots()
        const model = new Map<number, number>()
        for (const [open, request] of moves) {
          if (open && !model.has(request)) model.set(request, slots.open(request))
          if (!open) {
            slots.close(request)
            model.delete(request)
          }
        }
        expect(slots.live).toBe(model.size)
        expect(new Set(model.values()).size).toBe(model.size)
        for (let request = 0; request <= 120; request++) expect(slots.find(request)).toBe(model.get(request) ?? NO_SLOT)
      }),
    )
  })

  it('a million requests of which ten live at once need ten slots', () => {
    const slots = new LiveSlots()
    for (let request = 0; request < 1_000_000; request++) {
      slots.open(request)
      if (request >= 10) slots.close(request - 10)
    }
    expect(slots.capacity).toBe(11)
  })
})
