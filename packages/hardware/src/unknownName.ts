// The same in hardware and models, neither of which may depend on anything; a test holds them equal.

const pairsOf = (text: string): string[] => Array.from({ length: text.length - 1 }, (_, at) => text.slice(at, at + 2))

/** Likeness of two words from 0 to 1: twice the pairs of letters in common over all pairs (Dice); 1 where one holds the other. */
function likeness(a: string, b: string): number {
  if (a.length < 2 || b.length < 2) return 0
  if (a.includes(b) || b.includes(a)) return 1
  const pairs = pairsOf(a)
  const others = pairsOf(b)
  return (2 * others.filter((pair) => pairs.includes(pair)).length) / (pairs.length + others.length)
}

/** Up to five of `known` that are like `name`, and not much less so than the likest, the likest and shortest first. */
export const nearNames = (name: string, known: readonly string[]): string[] => {
  const scored = known.map((candidate) => ({ candidate, score: likeness(name.toLowerCase(), candidate.toLowerCase()) }))
  const least = Math.max(0.6, 0.8 * Math.max(0, ...scored.map(({ score }) => score)))
  return scored
    .filter(({ score }) => score >= least)
    .sort((a, b) => b.score - a.score || a.candidate.length - b.candidate.length)
    .slice(0, 5)
    .map(({ candidate }) => candidate)
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
