import { requireCount, requireNonNegative, requirePositive } from '../costInputError.ts'
import { keyValueBytesPerToken, type TensorBytes, tensorBytes, type UniformModel } from './tensorBytes.ts'

/**
 * How KV heads limit the split over tensor ranks. `saturate`: a rank holds at least one whole head, so KV divides by
 * min(tp, KV heads) and the rest are copies. `even`: KV divides by tp, as if heads could be cut.
 */
export type KvSplit = 'saturate' | 'even'

/** Ways in which KV (or what goes with its heads) really divides. */
export const kvWays = (tp: number, kvHeads: number, split: KvSplit): number =>
  split === 'even' ? tp : Math.min(tp, kvHeads)

/** What of the weights is copied to every tensor rank. */
export interface WeightReplication {
  /** K and V projections go with their KV head: they divide by min(tp, KV heads). */
  readonly kvProjections: boolean
  /** Norms and routers are on every rank. */
  readonly normsAndRouters: boolean
}

/** Bytes of weights on one card, with experts cut over `tp * ep` cards. Parallelism chapter, (6-1). */
export function weightBytesOfCard(
  model: UniformModel,
  layout: { readonly tp: number; readonly ep: number },
  copies: WeightReplication,
  bytes: TensorBytes = tensorBytes(model),
): number {
  const { tp, ep } = layout
  requireCount('weightBytesOfCard', { tp, ep })
  const small = bytes.norms + bytes.routers
  const heads = kvWays(tp, model.kvHeads, copies.kvProjections ? 'saturate' : 'even')
  return (
    bytes.experts / (tp * ep) +
    (bytes.queryAndOutput + bytes.feedForward + bytes.embedding + bytes.outputHead) / tp +
    bytes.keyAndValue / heads +
    (copies.normsAndRouters ? small : small / tp)
  )
}

/** What (6-1) weighs on one card. */
export interface CardMemory {
  readonly weightBytes: number
  readonly kvBytes: number
  /** Of one session, which decides how many fit. */
  readonly kvBytesPerSession: number
  readonly workspaceBytes: number
  readonly totalBytes: number
  readonly fits: boolean
  /** Sessions of that length that fit beside weights and workspace; 0 where the weights alone do not, undefined where they keep nothing. */
  readonly maxSessions: number | undefined
}

/** `W_i + K_i + A_i + U_i <= C_i` for one card, activations being part of the workspace. Parallelism chapter, (6-1). */
export function cardMemory(of: {
  readonly weightBytes: number
  readonly kvBytesPerSession: number
  readonly sessions: number
  readonly workspaceBytes: number
  readonly capacityBytes: number
}): CardMemory {
  const { weightBytes, kvBytesPerSession, sessions, workspaceBytes, capacityBytes } = of
  requireNonNegative('cardMemory', { weightBytes, kvBytesPerSession, sessions, workspaceBytes })
  requirePositive('cardMemory', { capacityBytes })
  const kvBytes = sessions * kvBytesPerSession
  const totalBytes = weightBytes + kvBytes + workspaceBytes
  const free = capacityBytes - weightBytes - workspaceBytes
  return {
    weightBytes,
    kvBytes,
    kvBytesPerSession,
    workspaceBytes,
    totalBytes,
    fits: totalBytes <= capacityBytes,
    maxSessions: free < 0 ? 0 : kvBytesPerSession === 0 ? undefined : Math.floor(free / kvBytesPerSession),
  }
}

/** KV bytes that a session of `tokens` keeps on one card of a tensor group. */
export function kvBytesOfCard(
  model: UniformModel,
  of: { readonly tokens: number; readonly tp: number; readonly kvElementBytes: number; readonly split: KvSplit },
): number {
  const perToken = keyValueBytesPerToken(model, of.kvElementBytes)
  return (perToken * of.tokens) / kvWays(of.tp, model.kvHeads, of.split)
}
