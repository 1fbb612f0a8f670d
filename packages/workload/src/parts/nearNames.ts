/** Number of single-letter edits between two words. */
function edits(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, row[j]! + 1, next[j - 1]! + 1))
    }
    row = next
  }
  return row[b.length]!
}

/** Up to three of `known` that a person who wrote `found` may have meant, the nearest first. */
export function nearNames(found: string, known: readonly string[]): string[] {
  const wanted = found.toLowerCase()
  return known
    .map((name) => ({
      name,
      distance: wanted.length > 2 && name.toLowerCase().includes(wanted) ? 0.5 : edits(wanted, name.toLowerCase()),
    }))
    .filter(({ name, distance }) => distance <= Math.max(2, name.length / 3))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, 3)
    .map(({ name }) => name)
}
