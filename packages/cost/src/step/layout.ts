import { type Architecture, type LayerShape, layerShapes } from '@windtunnel/models'
import { CostInputError, requireCount } from '../costInputError.ts'

/** How one replica spreads over accelerators. The number of accelerators is tp * pp * dp * sp; experts lie over tp * dp. */
export interface ReplicaLayout {
  /** Tensor parallel ranks: heads and hidden columns are split. */
  tp: number
  /** Pipeline stages: layers are split; a step passes all of them in turn. */
  pp: number
  /** Data-parallel attention ranks: each serves its share of the sequences with its own copy of the attention weights. */
  dp: number
  /** Expert parallel ranks, laid over the same tp * dp accelerators; each expert is tensor-split over the rest. */
  ep: number
  /** Sequence (context) parallel ranks: prompts and their KV are split, weights are copied. */
  sp: number
}

export const singleAccelerator: ReplicaLayout = { tp: 1, pp: 1, dp: 1, ep: 1, sp: 1 }

/** A full layout from a partial one; what is absent is 1. Throws CostInputError unless every degree is a whole number >= 1. */
export function layoutOf(partial: Partial<ReplicaLayout> = {}): ReplicaLayout {
  const layout = { ...singleAccelerator, ...partial }
  requireCount('layout', { tp: layout.tp, pp: layout.pp, dp: layout.dp, ep: layout.ep, sp: layout.sp })
  return layout
}

/** Accelerators of one replica. */
export const acceleratorsOf = (layout: ReplicaLayout): number => layout.tp * layout.pp * layout.dp * layout.sp

/**
 * KV heads that one tensor rank holds: an equal share, or one copy when there are more ranks than KV heads.
 */
export const keyValueHeadsPerRank = (keyValueHeads: number, tp: number): number => Math.max(keyValueHeads, tp) / tp

const divisors = (count: number): string => {
  const all: number[] = []
  for (let d = 1; d <= count && all.length < 12; d++) if (count % d === 0) all.push(d)
  return all.join(', ')
}

function reject(quantity: string, expected: string, found: number): never {
  throw new CostInputError({ where: 'layout', quantity, expected, found })
}

/** Throws CostInputError when the model cannot be cut this way, with the degrees that would do. */
export function requireLayoutFor(architecture: Architecture, layout: ReplicaLayout): void {
  const { tp, pp, dp, ep } = layout
  const shapes = layerShapes(architecture)
  for (const shape of shapes) requireTensorSplit(architecture.name, shape, tp)
  const layerCount = architecture.layers.length
  if (pp > layerCount) reject('pp', `at most the ${layerCount} layers of ${architecture.name}`, pp)
  if ((tp * dp) % ep !== 0) reject('ep', `a divisor of tp * dp = ${tp * dp}`, ep)
  let experts: number | undefined
  for (const { mlp } of shapes) if (mlp.kind === 'moe') experts = mlp.experts
  if (ep > 1 && experts === undefined) reject('ep', `1, as ${architecture.name} has no experts`, ep)
  if (experts !== undefined && experts % ep !== 0) {
    reject('ep', `a divisor of the ${experts} experts of ${architecture.name}`, ep)
  }
}

function requireTensorSplit(name: string, shape: LayerShape, tp: number): void {
  const { attention, mlp, queryHeads, kvHeads } = shape
  if (queryHeads % tp !== 0) {
    const heads = attention.kind === 'linear' ? 'value heads' : 'attention heads'
    reject('tp', `a divisor of the ${queryHeads} ${heads} of ${name} (${divisors(queryHeads)})`, tp)
  }
  const splitsKeyValues = attention.kind !== 'latent' && attention.kind !== 'linear'
  if (splitsKeyValues && kvHeads % tp !== 0 && tp % kvHeads !== 0) {
    reject('tp', `a divisor or a multiple of the ${kvHeads} KV heads of ${name}`, tp)
  }
  if (mlp.kind === 'dense' && mlp.intermediateSize % tp !== 0) {
    reject('tp', `a divisor of the feed-forward width ${mlp.intermediateSize} of ${name}`, tp)
  }
}
