/** Where a search ended. */
export interface Minimum {
  at: number[]
  value: number
}

/**
 * Downhill simplex search (Nelder and Mead 1965) from a start with a first step in every direction; restarted from its own
 * end until it no longer gains. Deterministic. Stops after `iterations` steps of each start.
 */
export function nelderMead(
  objective: (at: readonly number[]) => number,
  start: readonly number[],
  firstStep: number,
  iterations = 400,
): Minimum {
  let best: Minimum = { at: [...start], value: objective(start) }
  for (let round = 0; round < 4; round++) {
    const found = descend(objective, best.at, round === 0 ? firstStep : firstStep / 3, iterations)
    const gained = best.value - found.value
    if (found.value < best.value) best = found
    if (round > 0 && gained < 1e-6 * Math.abs(best.value)) break
  }
  return best
}

function descend(
  objective: (at: readonly number[]) => number,
  start: readonly number[],
  step: number,
  iterations: number,
): Minimum {
  const vertex = (at: number[]): Minimum => ({ at, value: objective(at) })
  const simplex = [vertex([...start])]
  for (let i = 0; i < start.length; i++) simplex.push(vertex(start.map((x, j) => (i === j ? x + step : x))))
  for (let i = 0; i < iterations; i++) {
    simplex.sort((a, b) => a.value - b.value)
    if (simplex.at(-1)!.value - simplex[0]!.value < 1e-9 * Math.abs(simplex[0]!.value)) break
    replaceWorst(simplex, vertex)
  }
  simplex.sort((a, b) => a.value - b.value)
  return simplex[0]!
}

function replaceWorst(simplex: Minimum[], vertex: (at: number[]) => Minimum): void {
  const worst = simplex.at(-1)!
  const centre = worst.at.map((_, j) => {
    let sum = 0
    for (let i = 0; i < simplex.length - 1; i++) sum += simplex[i]!.at[j]!
    return sum / (simplex.length - 1)
  })
  const along = (factor: number): Minimum => vertex(centre.map((c, j) => c + factor * (worst.at[j]! - c)))
  const reflected = along(-1)
  const last = simplex.length - 1
  if (reflected.value < simplex[0]!.value) {
    const expanded = along(-2)
    simplex[last] = expanded.value < reflected.value ? expanded : reflected
    return
  }
  if (reflected.value < simplex[last - 1]!.value) {
    simplex[last] = reflected
    return
  }
  const contracted = along(reflected.value < worst.value ? -0.5 : 0.5)
  if (contracted.value < Math.min(worst.value, reflected.value)) {
    simplex[last] = contracted
    return
  }
  const best = simplex[0]!.at
  for (let i = 1; i < simplex.length; i++) simplex[i] = vertex(simplex[i]!.at.map((x, j) => (x + best[j]!) / 2))
}
