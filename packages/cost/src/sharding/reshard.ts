import type { CollectiveStep } from './collectiveStep.ts'

/** A sharding by dimension: the mesh axes that split it, outermost first. */
export type DimAxes = Readonly<Record<string, readonly string[]>>

const at = (layout: DimAxes, dim: string): readonly string[] => layout[dim] ?? []

/** How many leading axes two subscripts share. */
export function sharedPrefix(a: readonly string[], b: readonly string[]): number {
  const differ = a.findIndex((axis, index) => b[index] !== axis)
  return differ === -1 ? a.length : differ
}

/**
 * The steps that bring an array from one sharding to another: slices first (free, they keep a part of what is there),
 * then AllToAlls for axes that move to another dimension, then AllGathers for axes that go. Book ch. 3.
 * @param array its name
 * @param dims the dimensions of the array
 */
export function reshard(array: string, dims: readonly string[], from: DimAxes, to: DimAxes): CollectiveStep[] {
  const kept = new Map(dims.map((dim) => [dim, sharedPrefix(at(from, dim), at(to, dim))]))
  const leaving = dims.flatMap((dim) => at(from, dim).slice(kept.get(dim)))
  const slices: CollectiveStep[] = []
  const moves: CollectiveStep[] = []
  const moved: string[] = []
  for (const dim of dims) {
    const entering = at(to, dim).slice(kept.get(dim))
    const fresh = entering.filter((axis) => !leaving.includes(axis))
    const from = entering.filter((axis) => leaving.includes(axis))
    if (fresh.length > 0) slices.push({ kind: 'slice', axes: fresh, array, dim })
    if (from.length > 0) moves.push({ kind: 'all-to-all', axes: from, array, dim })
    moved.push(...from)
  }
  const gone = leaving.filter((axis) => !moved.includes(axis))
  const gathers: CollectiveStep[] = gone.length > 0 ? [{ kind: 'all-gather', axes: gone, array }] : []
  return [...slices, ...moves, ...gathers]
}

/** The layout that remains of `from` on the way to `to` when every reduction has scattered its axes: see `reduceTo`. */
const withAxis = (layout: DimAxes, dim: string, axes: readonly string[]): DimAxes => ({
  ...layout,
  [dim]: [...at(layout, dim), ...axes],
})

/**
 * The steps that finish a local product: reduce its partial sums, scattered where the result is sharded over the axis,
 * then bring the rest to the sharding asked for. Axes that may stay unreduced are left alone.
 */
export function reduceTo(
  array: string,
  dims: readonly string[],
  product: { readonly layout: DimAxes; readonly partialAxes: readonly string[] },
  to: { readonly layout: DimAxes; readonly unreduced: readonly string[] },
): CollectiveStep[] {
  let layout = product.layout
  let open = product.partialAxes.filter((axis) => !to.unreduced.includes(axis))
  const reductions: CollectiveStep[] = []
  for (const dim of dims) {
    const wanted = at(to.layout, dim)
    const prefix = sharedPrefix(at(layout, dim), wanted)
    if (prefix < at(layout, dim).length) continue
    const next = wanted.slice(prefix)
    const foreign = next.findIndex((axis) => !open.includes(axis))
    const over = next.slice(0, foreign === -1 ? next.length : foreign)
    if (over.length === 0) continue
    reductions.push({ kind: 'reduce-scatter', axes: over, array, dim })
    layout = withAxis(layout, dim, over)
    open = open.filter((axis) => !over.includes(axis))
  }
  if (open.length > 0) reductions.push({ kind: 'all-reduce', axes: open, array })
  return [...reductions, ...reshard(array, dims, layout, to.layout)]
}

/**
 * The same steps with each AllGather over idle axes too: a free slice over them first, then a gather over all. The
 * bytes stay, the links add up. Book ch. 3, C16.
 * @param idle axes the array is replicated over, before and after
 */
export function gatherWider(steps: readonly CollectiveStep[], idle: readonly string[]): CollectiveStep[] {
  if (idle.length === 0) return [...steps]
  return steps.flatMap((step): CollectiveStep[] =>
    step.kind === 'all-gather'
      ? [
          { kind: 'slice', axes: idle, array: step.array },
          { ...step, axes: [...step.axes, ...idle] },
        ]
      : [step],
  )
}
