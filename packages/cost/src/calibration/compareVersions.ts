/** Orders version strings number by number: 0.9 before 0.19. */
export function compareVersions(a: string, b: string): number {
  const left = a.split('.')
  const right = b.split('.')
  for (let i = 0; i < Math.max(left.length, right.length); i++) {
    const difference = Number.parseInt(left[i] ?? '0', 10) - Number.parseInt(right[i] ?? '0', 10)
    if (difference !== 0) return difference
  }
  return 0
}
