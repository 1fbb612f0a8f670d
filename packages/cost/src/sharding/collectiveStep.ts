import type { CollectiveKind } from '../collectives/collectiveKind.ts'
import { showAxes } from './notation.ts'

/** One move that brings an array from one sharding to another. A slice keeps a part of what is there, and is free. */
export interface CollectiveStep {
  readonly kind: CollectiveKind | 'slice'
  readonly axes: readonly string[]
  /** Name of the array. */
  readonly array: string
  /** The dimension that a ReduceScatter, AllToAll or slice shards. */
  readonly dim?: string
}

const titles = {
  'all-gather': 'AllGather',
  'reduce-scatter': 'ReduceScatter',
  'all-reduce': 'AllReduce',
  'all-to-all': 'AllToAll',
  slice: 'Slice',
}

/** A step as the book writes it: `AllGather_X(A)`, `ReduceScatter_X,K(C)`. */
export function showStep({ kind, axes, array, dim }: CollectiveStep): string {
  return `${titles[kind]}_${showAxes(axes)}${dim === undefined ? '' : `,${dim}`}(${array})`
}

/** Several steps, or `none`. */
export const showSteps = (steps: readonly CollectiveStep[]): string =>
  steps.length === 0 ? 'none' : steps.map(showStep).join(' + ')
