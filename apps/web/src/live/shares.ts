/**
 * The shares when the one at `place` becomes `share` (0 to 1): the others keep their proportions and take what is left, so
 * that all add up to 1; others that have nothing take equal parts of it.
 */
export const withShare = (shares: readonly number[], place: number, share: number): number[] => {
  if (shares.length < 2) return [1]
  const wanted = Math.min(1, Math.max(0, share))
  const others = shares.reduce((sum, one, at) => (at === place ? sum : sum + one), 0)
  return shares.map((one, at) =>
    at === place ? wanted : others > 0 ? ((1 - wanted) * one) / others : (1 - wanted) / (shares.length - 1),
  )
}

/** Whole per cents that add up to 100: what is cut off goes to those of which most was cut off. */
export const wholePercents = (shares: readonly number[]): number[] => {
  const cut = shares.map((share) => Math.floor(share * 100 + 1e-9))
  let left = 100 - cut.reduce((sum, one) => sum + one, 0)
  const order = shares.map((share, at) => ({ at, rest: share * 100 - (cut[at] ?? 0) })).sort((a, b) => b.rest - a.rest)
  for (const { at } of order) {
    if (left <= 0) break
    cut[at] = (cut[at] ?? 0) + 1
    left -= 1
  }
  return cut
}
