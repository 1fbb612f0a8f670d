import type { FieldDoc } from '@windtunnel/calculators/fields/doc'

const points = 49

/** Values around one that is typed: powers of two for whole numbers, 49 even ratios from a sixteenth to sixteen times otherwise. */
export const valuesAround = (doc: FieldDoc, typed: number): number[] => {
  if (doc.kind !== 'number') return []
  const fits = (value: number): boolean =>
    (doc.minimum === undefined || value >= doc.minimum) &&
    (doc.above === undefined || value > doc.above) &&
    (doc.maximum === undefined || value <= doc.maximum)
  const centre = typed > 0 ? typed : 1
  const raw = doc.integer
    ? [
        ...Array.from({ length: 11 }, (_, step) => Math.round(centre * 2 ** (step - 5))),
        ...Array.from({ length: 7 }, (_, step) => 2 ** step),
        centre,
      ]
    : Array.from({ length: points }, (_, step) => centre * 2 ** ((step / (points - 1)) * 8 - 4))
  return [...new Set(raw)].filter(fits).sort((a, b) => a - b)
}
