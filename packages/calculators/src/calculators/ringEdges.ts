import { InputError } from '../edge/inputError.ts'
import { bytes, group, list, text } from '../fields/field.ts'

/** Bytes that go from one place to another. */
export interface Moved {
  readonly from: string
  readonly to: string
  readonly bytes: number
}

/** Edges of a ring as places of the sending and the receiving card. Throws InputError for a card without a place. */
export function edgesOf(
  ring: readonly string[],
  place: Readonly<Record<string, string>>,
  field: string,
): { readonly from: string; readonly to: string }[] {
  const places = ring.map((card) => {
    const found = place[card]
    if (found === undefined) throw InputError.at(field, `expected an entry for card ${card}, which a ring names`)
    return found
  })
  if (ring.length < 2) return []
  return places.map((from, at) => ({ from, to: places[(at + 1) % places.length]! }))
}

/** Moves between different places, added up; `aToB` and `bToA` are those of the first two places by name. */
export function crossings(moved: readonly Moved[], places: readonly string[]) {
  const sums = new Map<string, Moved>()
  for (const { from, to, bytes } of moved) {
    if (from === to) continue
    const key = JSON.stringify([from, to])
    sums.set(key, { from, to, bytes: (sums.get(key)?.bytes ?? 0) + bytes })
  }
  const [a = '', b = ''] = [...new Set(places)].sort()
  const between = (from: string, to: string) => sums.get(JSON.stringify([from, to]))?.bytes ?? 0
  const all = [...sums.values()]
  return {
    aToB: between(a, b),
    bToA: between(b, a),
    total: all.reduce((sum, one) => sum + one.bytes, 0),
    crossings: all,
  }
}

/** What `crossings` returns, as fields. */
export const crossingOutputs = {
  aToB: bytes('From the first to the second, by name.'),
  bToA: bytes('From the second to the first, by name.'),
  total: bytes('Over all pairs.'),
  crossings: list(
    group({ from: text('From.'), to: text('To.'), bytes: bytes('Bytes.') }, 'One pair.'),
    'Bytes from each to each other.',
  ),
}
