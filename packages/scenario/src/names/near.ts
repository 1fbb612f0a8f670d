/** Edits (insert, delete, replace, swap of neighbours) that turn `a` into `b`, ignoring case. */
export function editDistance(a: string, b: string): number {
  const from = a.toLowerCase()
  const to = b.toLowerCase()
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column)
  for (let row = 1; row <= from.length; row++) {
    const current = [row]
    for (let column = 1; column <= to.length; column++) {
      const replaced = previous[column - 1]! + (from[row - 1] === to[column - 1] ? 0 : 1)
      let best = Math.min(previous[column]! + 1, current[column - 1]! + 1, replaced)
      const swapped = row > 1 && column > 1 && from[row - 1] === to[column - 2] && from[row - 2] === to[column - 1]
      if (swapped) best = Math.min(best, beforePrevious[column - 2]! + 1)
      current.push(best)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[to.length]!
}

const plain = (name: string): string => name.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

/** The names a person who wrote `name` may have meant, best first, at most `limit`. */
export function nearNames(name: string, names: readonly string[], limit = 3): string[] {
  const wanted = plain(name)
  if (wanted === '') return []
  const scored: { candidate: string; score: number }[] = []
  for (const candidate of names) {
    const other = plain(candidate)
    const distance = editDistance(wanted, other)
    const begins = other.startsWith(wanted)
    const contained = begins || other.includes(wanted) || (other.length > 2 && wanted.includes(other))
    if (contained || distance <= Math.max(1, Math.floor(wanted.length / 3)))
      scored.push({
        candidate,
        score: begins ? Math.min(distance, 0.5) : contained ? Math.min(distance, 1.5) : distance,
      })
  }
  scored.sort((a, b) => a.score - b.score || (a.candidate < b.candidate ? -1 : 1))
  return scored.slice(0, limit).map((one) => one.candidate)
}

/** "did you mean a or b?" or, when nothing is near, "known: a, b, c"; for the end of an error message. */
export function suggestion(name: string, names: readonly string[]): string {
  const near = nearNames(name, names)
  const known = names.length <= 24 ? names.join(', ') : `${names.slice(0, 24).join(', ')} ... (${names.length} in all)`
  if (near.length === 0) return names.length === 0 ? 'there are none' : `known: ${known}`
  return `did you mean ${near.join(' or ')}?`
}
