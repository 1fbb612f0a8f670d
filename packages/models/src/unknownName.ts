const distance = (a: string, b: string): number => {
  let previous = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const substituted = previous[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(substituted, previous[j]! + 1, row[j - 1]! + 1))
    }
    previous = row
  }
  return previous[b.length]!
}

/**
 * Up to five of `known`, the nearest to `name` first: those that contain it or are part of it, or that one edit for every
 * three letters makes of it.
 */
export const nearNames = (name: string, known: readonly string[]): string[] => {
  const wanted = name.toLowerCase()
  const score = (candidate: string) => {
    const other = candidate.toLowerCase()
    const inside = wanted.length > 1 && (other.includes(wanted) || (other.length > 1 && wanted.includes(other)))
    return inside ? Math.abs(other.length - wanted.length) / 100 : distance(wanted, other)
  }
  return known
    .map((candidate) => ({ candidate, score: score(candidate) }))
    .filter((entry) => entry.score <= Math.max(1, Math.floor(wanted.length / 3)))
    .sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
    .slice(0, 5)
    .map((entry) => entry.candidate)
}

/** A name that no registered part has. Says which are near, or lists all when none is. */
export class UnknownName extends Error {
  readonly _tag = 'UnknownName'
  readonly what: string
  readonly found: string
  readonly near: readonly string[]

  constructor(what: string, found: string, known: readonly string[]) {
    const near = nearNames(found, known)
    const advice = near.length > 0 ? `Did you mean ${near.join(', ')}?` : `Known: ${known.join(', ')}.`
    super(`Unknown ${what} "${found}". ${advice}`)
    this.name = 'UnknownName'
    this.what = what
    this.found = found
    this.near = near
  }
}
