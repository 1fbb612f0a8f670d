import { axesOf, type MatmulDims } from './matmulDims.ts'
import type { ShardedMatmul } from './notation.ts'
import { type DimAxes, sharedPrefix } from './reshard.ts'

const prefixes = (axes: readonly string[]): string[][] =>
  Array.from({ length: axes.length + 1 }, (_, count) => axes.slice(0, count))

/** The ways to shard one dimension while multiplying: whatever an array already has on it, or a leading part of that. */
function choices(matmul: ShardedMatmul, dim: string, dims: MatmulDims): string[][] {
  const own = [axesOf(matmul.left, dim), axesOf(matmul.right, dim)]
  const wanted = axesOf(matmul.result, dim)
  const all = [...own, wanted].flatMap(prefixes)
  const distinct = all.filter((axes, index) => all.findIndex((other) => other.join() === axes.join()) === index)
  if (dims.contracted.includes(dim)) return distinct
  // To gather what the result wants sharded, only to slice it again, never pays.
  const holders = dims.batch.includes(dim) ? own : [dims.leftFree.includes(dim) ? own[0]! : own[1]!]
  const keep = Math.min(...holders.map((axes) => sharedPrefix(axes, wanted)))
  return distinct.filter((axes) => sharedPrefix(axes, wanted) >= keep)
}

const axesOnce = (layout: DimAxes): boolean => {
  const used = Object.values(layout).flat()
  return new Set(used).size === used.length
}

/**
 * Every sharding of the dimensions under which the devices can multiply locally: each mesh axis splits one dimension at
 * most, and both operands agree on it. Book ch. 3, C12.
 */
export function computeLayouts(matmul: ShardedMatmul, dims: MatmulDims): DimAxes[] {
  const all = [...dims.batch, ...dims.leftFree, ...dims.contracted, ...dims.rightFree]
  const layouts = all.reduce<DimAxes[]>(
    (partial, dim) =>
      partial.flatMap((layout) => choices(matmul, dim, dims).map((axes) => ({ ...layout, [dim]: axes }))),
    [{}],
  )
  return layouts.filter(axesOnce)
}
